import Foundation
import TestSupport
import Testing

@testable import Predicates

@Suite("Decimal numbers and floating-point ones")
struct DecimalConversionTests {
  /// Numbers with few and with many digits, whole numbers, and numbers at the limits.
  private func numbers(_ seed: UInt64) -> [Double] {
    var random = SplitMix(seed: seed)
    var numbers: [Double] = [
      0, -0.0, 0.1, 0.11, -0.07, 1.005, 10.11, 123_456.789, 0.000_001, 0.000_000_1, 1e15, 1e15 - 1, 1e15 + 2,
      99_999_999.999_999, 999_999_999.999_999, 0x1p53, 0x1p53 + 2, 1e22, 1e23, 1.0 / 3, .pi, 1e-20, 1e100,
      -1e100,
      .leastNormalMagnitude, 4.35, 2.675, 1_234_567_890.123_45,
    ]
    for _ in 0..<5_000 {
      let whole = Int64(random.next() % 2_000_000_000_000) - 1_000_000_000_000
      let digits = Int(random.next() % 10)
      numbers.append(Double(whole) / pow(10, Double(digits)))
      numbers.append(Double(random.next() % 1_000_000) / 1e6)
      numbers.append(Double(bitPattern: 0x3ff0_0000_0000_0000 | random.next() >> 12))
    }
    return numbers
  }

  @Test("decimal and floating-point numbers have the same shortest text", arguments: [1, 2, 3] as [UInt64])
  func shortest(_ seed: UInt64) {
    for number in numbers(seed) {
      let expected = Decimal(string: "\(number)", locale: nil)
      let found = Decimal(shortest: number)
      #expect(found == expected, "\(number)")
      #expect(found?.description == expected?.description, "\(number)")
    }
    #expect(Decimal(shortest: .infinity) == nil)
    #expect(Decimal(shortest: .nan) == nil)
  }

  @Test("the nearest floating-point number is that of the text", arguments: [4, 5] as [UInt64])
  func nearest(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var texts = [
      "0", "0.11", "-0.11", "1e10", "12345678901234567890123456789012345678", "0.1234567890123456789",
    ]
    texts += [
      "999999999999999", "1000000000000000", "99999999999999.9", "9007199254740993", "-0.000001", "5.00",
    ]
    for _ in 0..<5_000 {
      let digits = Int(random.next() % 12)
      texts.append("\(Int64(bitPattern: random.next()) >> Int64(random.next() % 60))e-\(digits)")
    }
    for text in texts {
      let decimal = try #require(Decimal(string: text, locale: nil))
      #expect(decimal.nearestDouble == Double(decimal.description), "\(text)")
      #expect(decimal.wholeNumber == Int64(decimal.description), "\(text)")
    }
    #expect(Decimal.nan.nearestDouble.isNaN)
    #expect(Decimal.nan.wholeNumber == nil)
  }

  @Test(
    "the sum of many is that of decimal numbers added one after the other",
    arguments: [6, 7] as [UInt64]
  )
  func sum(_ seed: UInt64) throws {
    var sum = DecimalSum()
    var expected = Decimal()
    let numbers = numbers(seed).filter { abs($0) < 1e18 && ($0 == 0 || abs($0) > 1e-18) }
    for number in numbers {
      let isDecimal = sum.add(number)
      #expect(isDecimal)
      expected += try #require(Decimal(string: "\(number)", locale: nil))
    }
    for number in [Int64.max, .max, .min, 7] {
      sum.add(number)
      expected += Decimal(number)
    }
    #expect(sum.count == Int64(numbers.count + 4))
    #expect(sum.total == expected)
    #expect(sum.average == expected / Decimal(numbers.count + 4))
  }

  @Test("a decimal sum that needs too many digits is not a number")
  func inexactSum() {
    var sum = DecimalSum()
    #expect(sum.average == nil)
    #expect(sum.total == 0)
    sum.add(Decimal(sign: .plus, exponent: 40, significand: 1))
    #expect(sum.total == Decimal(sign: .plus, exponent: 40, significand: 1))
    let isDecimal = sum.add(0.25)
    #expect(isDecimal)
    #expect(sum.total == nil)
    #expect(sum.average == nil)
    let isInfinityDecimal = sum.add(Double.infinity)
    #expect(!isInfinityDecimal)
  }
}
