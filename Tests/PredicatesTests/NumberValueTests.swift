import Foundation
import Predicates
import TestSupport
import Testing

@Suite("Numbers are compared exactly, whatever their types")
struct NumberValueTests {
  private func order(_ a: Any, _ b: Any) throws -> ComparisonResult? {
    try #require(NumberValue(any: a)).compare(#require(NumberValue(any: b)))
  }

  @Test("every number type is recognised")
  func types() {
    let numbers: [Any] = [
      1, Int8(1), Int16(1), Int32(1), Int64(1), UInt(1), UInt8(1), UInt16(1), UInt32(1), UInt64(1), 1.0,
      Float(1),
      true, Decimal(1), NSNumber(value: 1), NSNumber(value: true), NSNumber(value: 1.0),
      NSDecimalNumber(value: 1),
      NSNumber(value: UInt64(1)), NSNumber(value: Int8(1)),
    ]
    for number in numbers {
      #expect(NumberValue(any: number)?.compare(.integer(1)) == .orderedSame, "\(type(of: number))")
      #expect(EvaluatedValue(number).isEqual(to: .number(.integer(1))), "\(type(of: number))")
    }
  }

  @Test("other values are not numbers", arguments: ["1", Date(), UUID(), Data()] as [any Sendable])
  func noNumber(value: any Sendable) {
    #expect(NumberValue(any: value) == nil)
  }

  @Test("a large integer is not rounded to the nearest double")
  func largeIntegers() throws {
    let large = 9_007_199_254_740_993
    #expect(try order(large, Double(large)) == .orderedDescending)
    #expect(try order(Double(large), large) == .orderedAscending)
    #expect(try order(large, large - 1) == .orderedDescending)
    #expect(try order(Int.max, 9.223372036854775807e18) == .orderedAscending)
    #expect(try order(UInt64.max, 18446744073709551616.0) == .orderedAscending)
    #expect(try order(UInt64.max, Int.max) == .orderedDescending)
    #expect(try order(NSNumber(value: UInt64.max), UInt64.max) == .orderedSame)
    #expect(try order(Int.min, -9.223372036854775808e18) == .orderedSame)
  }

  @Test("fractions and signs count")
  func fractions() throws {
    #expect(try order(1, 1.5) == .orderedAscending)
    #expect(try order(-1, -1.5) == .orderedDescending)
    #expect(try order(-2, -1.5) == .orderedAscending)
    #expect(try order(0, -0.0) == .orderedSame)
    #expect(try order(1, Double.infinity) == .orderedAscending)
    #expect(try order(-Double.infinity, Int.min) == .orderedAscending)
    #expect(try order(UInt64.max, -1.0) == .orderedDescending)
  }

  @Test("a decimal equals the double that is written alike")
  func decimals() throws {
    #expect(try order(Decimal(string: "0.1")!, 0.1) == .orderedSame)
    #expect(try order(Decimal(string: "0.11")!, 0.11) == .orderedSame)
    #expect(try order(Decimal(string: "0.1")!, Float(0.1)) == .orderedAscending)
    #expect(try order(Decimal(string: "9223372036854775808")!, Int.max) == .orderedDescending)
    #expect(try order(Decimal(string: "-1.5")!, -1) == .orderedAscending)
    #expect(try order(Decimal(1), 1e300) == .orderedAscending)
    #expect(try order(Decimal(string: "0.11")!, 0.1) == .orderedDescending)
  }

  @Test("NaN has no order")
  func notANumber() throws {
    #expect(try order(Double.nan, 1) == nil)
    #expect(try order(Double.nan, Double.nan) == nil)
    #expect(try order(Decimal.nan, 1) == nil)
  }

  @Test("integers and doubles are ordered by exact arithmetic")
  func exactness() throws {
    var generator = SplitMix(seed: 3)
    for _ in 0..<20_000 {
      let integer = Int64(bitPattern: generator.next()) >> Int64.random(in: 0...62, using: &generator)
      let near = Double(integer) + Double(Int.random(in: -2...2, using: &generator)) * 0.5
      let order = try #require(NumberValue.integer(integer).compare(.double(near)))
      // A double below 2^63 splits into an integer part and a fraction, and both are exact.
      let whole = near.rounded(.down)
      let expected: ComparisonResult
      if let whole = Int64(exactly: whole) {
        expected =
          integer < whole
          ? .orderedAscending
          : (integer > whole ? .orderedDescending : near > Double(whole) ? .orderedAscending : .orderedSame)
      } else {
        expected = near > 0 ? .orderedAscending : .orderedDescending
      }
      #expect(order == expected)
    }
  }

  @Test("%d and the bitwise functions cut the fraction off")
  func truncation() {
    #expect(NumberValue.double(-1.9).truncated == -1)
    #expect(NumberValue.decimal(Decimal(string: "1.9")!).truncated == 1)
    #expect(NumberValue.decimal(Decimal(string: "-1.9")!).truncated == -1)
    #expect(NumberValue.double(1e30).truncated == nil)
    #expect(NumberValue.decimal(Decimal(string: "1e30")!).truncated == nil)
    #expect(NumberValue.unsigned(.max).truncated == nil)
  }
}
