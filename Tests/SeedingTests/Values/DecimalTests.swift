import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Decimal numbers")
struct DecimalTests {
  @Test(
    "decimal numbers keep all of their digits, as numbers and as strings",
    arguments: [
      "12345678901234567890.123456789", "0.1", "-99999999999999999999999999999999999999", "1e20",
      "0.00000000000000000001", "100", "-0.5",
    ],
    TestStore.Kind.allCases
  )
  func kept(digits: String, kind: TestStore.Kind) throws {
    let isRounded = kind == .sqlite && digits.count > 24
    for text in [digits, "\"\(digits)\""] {
      let store = try TestStore(kind, TestModel.things(hasComposite: false, key: "name"))
      let json = "{\"things\": [{\"name\": \"A\", \"decimal\": \(text)}]}"
      guard !isRounded else {
        let error = #expect(throws: SeedError.self) { try store.seed(json) }
        #expect(
          error?.problem.hasPrefix("a SQLite store would round \(digits.prefix(10))") == true,
          "\(String(describing: error))"
        )
        #expect(error?.position?.key == "decimal")
        continue
      }
      try store.seed(json)
      #expect(
        try store.first("Thing", "decimal", as: NSDecimalNumber.self)?.decimalValue == Decimal(string: digits)
      )
      if kind == .sqlite {
        try store.close()
        try store.open()
      }
      #expect(try store.seed(json, policy: .always).total.unchanged == 1)
    }
  }

  @Test(
    "a decimal number is refused if a digit would be lost",
    arguments: [
      "0.1234567890123456789012345678901234567891", "340282366920938463463374607431768211457", "1e-200",
      "1e200", "123456789012345678901234567890123456789012",
    ]
  )
  func refused(digits: String) throws {
    for text in [digits, "\"\(digits)\""] {
      let store = try TestStore(.inMemory, TestModel.things())
      let error = #expect(throws: SeedError.self) { try store.seed("{\"things\": [{\"decimal\": \(text)}]}") }
      #expect(
        error?.problem.hasSuffix("has more digits, or is larger or smaller, than a Decimal can be") == true
      )
    }
  }

  @Test("a decimal number has one spelling, whatever its zeros and exponent")
  func spellings() {
    for digits in ["1.50", "15e-1", "0.15E+1", "1.5", "001.5"] {
      #expect(JSONNumber.decimal(digits) == Decimal(string: "1.5"))
    }
    for digits in ["0", "-0", "0.000", "0e5"] { #expect(JSONNumber.decimal(digits) == 0) }
    #expect(JSONNumber.decimal("1e99999999999999999999") == nil)
  }
}
