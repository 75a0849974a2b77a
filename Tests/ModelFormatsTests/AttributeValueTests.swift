import Foundation
import Testing

@testable import ModelFormats

@Suite("The text of a value in a model file")
struct AttributeValueTests {
  @Test("is understood by the attribute's type")
  func understood() throws {
    #expect(AttributeValue("12", type: .integer16) == .integer(12))
    #expect(AttributeValue("0.0", type: .integer64) == .integer(0))
    #expect(AttributeValue("-9223372036854775808", type: .integer64) == .integer(.min))
    #expect(AttributeValue("10.11", type: .decimal) == .decimal(Decimal(string: "10.11") ?? 0))
    #expect(AttributeValue("0.5", type: .float) == .double(0.5))
    #expect(AttributeValue("YES", type: .boolean) == .boolean(true))
    #expect(AttributeValue("NO", type: .boolean) == .boolean(false))
    #expect(AttributeValue("", type: .string) == .string(""))
    #expect(
      AttributeValue("388411200", type: .date) == .date(Date(timeIntervalSinceReferenceDate: 388_411_200))
    )
    let uuid = UUID()
    #expect(AttributeValue(uuid.uuidString, type: .uuid) == .uuid(uuid))
    #expect(
      AttributeValue("https://example.com/a", type: .uri)
        == URL(string: "https://example.com/a").map(AttributeValue.uri)
    )
  }

  @Test("is refused when it is none of the type")
  func refused() {
    #expect(AttributeValue("32768", type: .integer16) == nil)
    #expect(AttributeValue("1.5", type: .integer32) == nil)
    #expect(AttributeValue("1e300", type: .integer64) == nil)
    #expect(AttributeValue("12abc", type: .decimal) == nil)
    #expect(AttributeValue("nan", type: .decimal) == nil)
    #expect(AttributeValue("maybe", type: .boolean) == nil)
    #expect(AttributeValue("inf", type: .date) == nil)
    #expect(AttributeValue("no-uuid", type: .uuid) == nil)
    #expect(AttributeValue("x", type: .transformable) == nil)
  }

  @Test("that is left over from another type is passed over where a type can have none")
  func leftOver() throws {
    var attribute = ModelDocument.Attribute(name: "a", type: .transformable)
    attribute.defaultValueString = "x"
    attribute.minValueString = "y"
    #expect(try attribute.defaultValue() == nil)
    #expect(try attribute.minimum() == nil)
  }
}
