import Foundation
import Testing

@testable import ModelFormats

@Suite("The table of attribute types")
struct AttributeKindTests {
  /// An object of the class that each row names.
  private static var samples: [String: NSObject] {
    [
      "NSNumber": NSNumber(value: 12), "NSDecimalNumber": NSDecimalNumber(decimal: Decimal(5) / 2),
      "NSString": NSString(string: "Äpfel"), "NSDate": NSDate(timeIntervalSinceReferenceDate: 388_411_200),
      "NSData": NSData(data: Data([0, 255])), "NSUUID": NSUUID(),
      "NSURL": NSURL(string: "https://example.com/a") ?? NSURL(fileURLWithPath: "/a"),
      "NSDictionary": NSDictionary(dictionary: ["row": 1]),
    ]
  }

  @Test("Each attribute type has one row, with a name, a number and a title of its own")
  func rows() {
    let rows = AttributeKind.all
    #expect(rows.map(\.type) == ModelDocument.AttributeType.allCases)
    #expect(Set(rows.map(\.number)).count == rows.count)
    #expect(Set(rows.map(\.title)).count == rows.count)
    #expect(rows.allSatisfy { !$0.words.isEmpty && !$0.title.isEmpty })
    #expect(Set(rows.map(\.storage)) == Set(AttributeKind.Storage.allCases))
  }

  @Test("A model file keeps the type of an attribute", arguments: ModelDocument.AttributeType.allCases)
  func modelFile(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    #expect(ModelDocument.AttributeType(rawValue: kind.type.rawValue) == kind.type)
    var entity = ModelDocument.Entity(name: "Thing")
    entity.attributes = [ModelDocument.Attribute(name: "value", type: kind.type)]
    var document = ModelDocument()
    document.entities = [entity]
    let read = try ModelDocument(contents: Data(document.contents.utf8))
    #expect(read.entities.first?.attributes.first?.type == kind.type)
  }

  @Test("The number of a type finds its row", arguments: ModelDocument.AttributeType.allCases)
  func numbers(_ type: ModelDocument.AttributeType) {
    let kind = AttributeKind(type)
    #expect(ModelDocument.AttributeType(number: kind.number) == kind.type)
    #expect(AttributeKind(RawType(rawValue: UInt(kind.number))).type == kind.type)
    #expect(AttributeKind.storage(number: UInt(kind.number)) == kind.storage)
  }

  @Test("An unknown number has the row of undefined attributes", arguments: [1, 101, 1300, 2200, UInt.max])
  func unknownNumbers(_ number: UInt) {
    #expect(AttributeKind(RawType(rawValue: number)).type == .undefined)
    #expect(AttributeKind.storage(number: number) == .none)
    #expect(UInt32(exactly: number).flatMap(ModelDocument.AttributeType.init(number:)) == nil)
  }

  @Test(
    "The archive of a value of the type's class reads back",
    arguments: ModelDocument.AttributeType.allCases
  )
  func archives(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    guard let name = kind.valueClass, name != "NSManagedObjectID" else { return }
    let sample = try #require(Self.samples[name], "no sample of \(name)")
    let data = try #require(try SafeKeyedArchive.data(of: sample))
    guard case .plain(let object) = try SafeKeyedArchive.read(data) else {
      Issue.record("the archive of a \(name) has other objects")
      return
    }
    #expect(object == sample)
  }

  @Test(
    "A default value's text reads back, where the type can have one",
    arguments: ModelDocument.AttributeType.allCases
  )
  func defaults(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    let texts: [AttributeKind.Storage: String] = [
      .integer: "12", .boolean: "YES", .real: "0.5", .date: "388411200.0", .decimal: "2.5", .text: "a",
      .uuid: UUID().uuidString, .uri: "https://example.com/a",
    ]
    #expect((texts[kind.storage] != nil) == kind.type.canHaveDefault)
    guard let text = texts[kind.storage] else { return }
    let value = try #require(ModelDocument.Value(text, type: kind.type))
    #expect(value.text(for: kind.type) == text)
    if let range = kind.range {
      #expect(ModelDocument.Value("\(range.lowerBound)", type: kind.type) == .integer(range.lowerBound))
      #expect(ModelDocument.Value("\(range.upperBound)0", type: kind.type) == nil)
    }
  }

  @Test(
    "Only whole numbers have a range, and a scalar type has an object's type next to it",
    arguments: ModelDocument.AttributeType.allCases
  )
  func columns(_ type: ModelDocument.AttributeType) {
    let kind = AttributeKind(type)
    #expect((kind.range != nil) == (kind.storage == .integer))
    #expect(kind.scalarType == nil || kind.swiftType != nil)
    #expect((kind.valueClass == nil) == [.undefined, .transformable].contains(kind.type))
  }

  /// A raw value, as `NSAttributeType` has it.
  private struct RawType: RawRepresentable {
    let rawValue: UInt
  }
}
