import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Numbers of transformable values")
struct PlainNumberTests {
  private func object(_ json: String) throws -> NSObject {
    var reader = JSONReader(Data(json.utf8), file: "x.json")
    return try reader.value().foundationObject
  }

  private func attribute(_ className: String?) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "plain"
    attribute.attributeType = .transformableAttributeType
    attribute.attributeValueClassName = className
    return attribute
  }

  @Test(
    "transformable numbers are binary if that is exact, and decimal otherwise",
    arguments: [
      ("0.1", false), ("1.5", false), ("1e300", false), ("-2.5e-8", false), ("100000000000000000000", false),
      ("0.1000000000000000000001", true), ("12345678901234567890.5", true), ("18446744073709551615", true),
    ]
  )
  func kind(digits: String, isDecimal: Bool) throws {
    let number = try #require(try object(digits) as? NSNumber)
    #expect((number is NSDecimalNumber) == isDecimal)
    if isDecimal {
      #expect((number as? NSDecimalNumber)?.decimalValue == Decimal(string: digits))
    } else {
      #expect(number.doubleValue == Double(digits))
    }
  }

  @Test("transformable whole numbers, booleans and negative zeros stay unchanged")
  func others() throws {
    let list = try #require(try object("[1, true, 0, false, -0, 9007199254740993]") as? NSArray)
    #expect(
      list.compactMap { ($0 as? NSNumber).map { String(cString: $0.objCType) == "c" } } == [
        false, true, false, true, false, false,
      ]
    )
    #expect((list[4] as? NSNumber)?.doubleValue.sign == .minus)
    #expect((list[5] as? NSNumber)?.int64Value == 9_007_199_254_740_993)
  }

  @Test("a transformable decimal attribute gets decimal numbers, and a number that is too large is refused")
  func attributes() throws {
    let attribute = self.attribute("NSDecimalNumber")
    #expect(try TransformableConversion.convert(.number("0.1"), to: attribute).object is NSDecimalNumber)
    #expect(try TransformableConversion.convert(.integer(1), to: attribute).object is NSDecimalNumber)
    let any = self.attribute(nil)
    #expect(throws: AttributeConversion.Failure.self) {
      try TransformableConversion.convert(.array([.number("1e999")]), to: any)
    }
  }

  @Test("a transformable object that looks like a date can be marked as an object")
  func literal() throws {
    let attribute = self.attribute(nil)
    var reader = JSONReader(Data(#"{"$object": {"$date": "2024-03-17"}}"#.utf8), file: "x.json")
    let value = try TransformableConversion.convert(try reader.value(), to: attribute)
    #expect(value.object as? [String: String] == ["$date": "2024-03-17"])
  }

  @Test(
    "transformable lists of numbers and booleans stay unchanged, and a second import changes nothing",
    arguments: TestStore.Kind.allCases
  )
  func unchanged(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.things(hasComposite: false, key: "name"))
    func seed(_ plain: String) throws -> String {
      try store.seed("{\"things\": [{\"name\": \"A\", \"plain\": \(plain)}]}", policy: .always).description
    }
    let plain =
      #"{"b": [1, true, 0, false, 0.1, 2.50, {"z": null, "a": [false]}], "a": "x", "c": {"$date": "1200-03-15"}}"#
    #expect(try seed(plain) == "Thing: 1 created")
    if kind == .sqlite {
      try store.close()
      try store.open()
    }
    #expect(try seed(plain) == "Thing: 1 unchanged")
    #expect(try seed(plain.replacing("[1, true", with: "[1, 1")) == "Thing: 1 updated")
    #expect(try seed(plain.replacing("[false]", with: "[0]")) == "Thing: 1 updated")
  }
}
