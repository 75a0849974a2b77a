import Foundation
import Testing

@testable import ModelFormats

@Suite("The text of a value in a model file")
struct ModelValueTests {
  @Test("A value's text is parsed by the attribute's type")
  func understood() throws {
    #expect(ModelDocument.Value("12", type: .integer16) == .integer(12))
    #expect(ModelDocument.Value("0.0", type: .integer64) == .integer(0))
    #expect(ModelDocument.Value("-9223372036854775808", type: .integer64) == .integer(.min))
    #expect(ModelDocument.Value("10.11", type: .decimal) == .decimal(Decimal(string: "10.11") ?? 0))
    #expect(ModelDocument.Value("0.5", type: .float) == .double(0.5))
    #expect(ModelDocument.Value("YES", type: .boolean) == .boolean(true))
    #expect(ModelDocument.Value("NO", type: .boolean) == .boolean(false))
    #expect(ModelDocument.Value("", type: .string) == .string(""))
    #expect(
      ModelDocument.Value("388411200", type: .date)
        == .date(Date(timeIntervalSinceReferenceDate: 388_411_200))
    )
    let uuid = UUID()
    #expect(ModelDocument.Value(uuid.uuidString, type: .uuid) == .uuid(uuid))
    #expect(
      ModelDocument.Value("https://example.com/a", type: .uri)
        == URL(string: "https://example.com/a").map(ModelDocument.Value.uri)
    )
  }

  @Test("A value's text that does not fit the type is refused")
  func refused() {
    #expect(ModelDocument.Value("32768", type: .integer16) == nil)
    #expect(ModelDocument.Value("1.5", type: .integer32) == nil)
    #expect(ModelDocument.Value("1e300", type: .integer64) == nil)
    #expect(ModelDocument.Value("12abc", type: .decimal) == nil)
    #expect(ModelDocument.Value("nan", type: .decimal) == nil)
    #expect(ModelDocument.Value("maybe", type: .boolean) == nil)
    #expect(ModelDocument.Value("inf", type: .date) == nil)
    #expect(ModelDocument.Value("no-uuid", type: .uuid) == nil)
    #expect(ModelDocument.Value("x", type: .transformable) == nil)
  }

  @Test("A leftover value of another type is ignored if the type has no default value")
  func leftOver() throws {
    var attribute = ModelDocument.Attribute(name: "a", type: .transformable)
    attribute.defaultValueString = "x"
    attribute.minValueString = "y"
    #expect(attribute.defaultValue() == nil)
    #expect(try attribute.minimum() == nil)
  }
}
