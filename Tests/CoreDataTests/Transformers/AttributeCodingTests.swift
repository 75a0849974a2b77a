import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Transformable attributes")
struct AttributeCodingTests {
  private static func attribute(_ transformer: String?) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "thing"
    attribute.attributeType = .transformableAttributeType
    attribute.valueTransformerName = transformer
    return attribute
  }

  @Test("transformable attributes are archives whose root is the object")
  func archive() throws {
    let attribute = Self.attribute("NSSecureUnarchiveFromData")
    func roundTrip<Value: Equatable>(_ value: Value) throws {
      let data = try AttributeCoding.encode(value, attribute: attribute)
      #expect(data.starts(with: Data("bplist00".utf8)))
      #expect(AttributeCoding.decode(data, attribute: attribute) as? Value == value)
    }
    try roundTrip(["a": ["x", "y"], "b": []])
    try roundTrip("text")
    try roundTrip(5)
    try roundTrip(2.5)
    try roundTrip(Date(timeIntervalSinceReferenceDate: 1))
    try roundTrip([1, 2])
    try roundTrip(Set(["x"]))
    try roundTrip(Data([1]))
    try roundTrip(UUID())
    try roundTrip(Decimal(1.5))
    try roundTrip(["a": [Decimal(1)]])
  }

  @Test("objects that cannot be archived are refused by name")
  func refused() {
    let attribute = Self.attribute(nil)
    for value in [Thread.current, ["a": [Thread.current]], {}] as [Any] {
      let error = #expect(throws: NSError.self) { try AttributeCoding.encode(value, attribute: attribute) }
      #expect(error?.localizedDescription.contains("thing") == true)
    }
  }

  @Test("unreadable transformable values are read as data, and so are those of other transformers")
  func unreadable() throws {
    let data = Data([1, 2, 3])
    let unreadable = try #require(
      AttributeCoding.decode(data, attribute: Self.attribute(nil)) as? UnreadableArchive
    )
    #expect(unreadable.data == data && !unreadable.isDamaged)
    #expect(try AttributeCoding.encode(unreadable, attribute: Self.attribute(nil)) == data)
    #expect(AttributeCoding.decode(data, attribute: Self.attribute("ColorsTransformer")) as? Data == data)
    #expect(try AttributeCoding.encode(data, attribute: Self.attribute("ColorsTransformer")) == data)
    #expect(throws: NSError.self) {
      try AttributeCoding.encode("x", attribute: Self.attribute("ColorsTransformer"))
    }
  }
}
