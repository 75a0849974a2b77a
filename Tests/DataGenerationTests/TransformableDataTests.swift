import CoreData
import DataGeneration
import Foundation
import ModelFormats
import Seeding
import Testing

@Suite("Made data of transformable and annotated attributes")
struct TransformableDataTests {
  private static func model(
    _ type: NSAttributeType,
    _ change: (NSAttributeDescription) -> Void
  ) -> NSManagedObjectModel {
    let attribute = NSAttributeDescription()
    attribute.name = "value"
    attribute.attributeType = type
    attribute.isOptional = false
    change(attribute)
    let entity = NSEntityDescription()
    entity.name = "Note"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  @Test(
    "a required transformable attribute gets values of its class",
    arguments: [
      "[String]", "[Int64]", "Array<String>", "[String: Int]", "Dictionary<String, [Double]>", "[Date]",
      "String", "Int64", "Date", "NSArray", "NSDictionary", "NSNumber", "NSString", "Any", "URL", "UUID",
      "Data", "Set<String>",
    ],
    ["NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
  )
  func classes(_ name: String, _ transformer: String) throws {
    let model = Self.model(.transformableAttributeType) {
      $0.attributeValueClassName = name
      $0.valueTransformerName = transformer
    }
    let made = try Made(model, GenerationPlan(counts: ["Note": 20]))
    let kinds = try made.map("Note") { note in
      switch note.value(forKey: "value") {
      case let list as [Any]:
        "list of \(list.map { $0 is String ? "texts" : $0 is Date ? "dates" : "numbers" })"
      case is [String: Any]: "dictionary"
      case is String: "text"
      case is Date: "date"
      case is NSNumber: "number"
      case is URL: "URL"
      case is UUID: "UUID"
      case is Data: "data"
      case is NSSet: "set"
      case let other: "\(type(of: other))"
      }
    }
    let expected =
      switch name {
      case "[String]", "Array<String>", "NSArray": "list of [\"texts\"]"
      case "[Int64]": "list of [\"numbers\"]"
      case "[Date]": "list of [\"dates\"]"
      case "[String: Int]", "Dictionary<String, [Double]>", "NSDictionary": "dictionary"
      case "Int64", "NSNumber": "number"
      case "Date": "date"
      case "URL", "UUID": name
      case "Data": "data"
      case "Set<String>": "set"
      default: "text"
      }
    #expect(Set(kinds) == [expected])
  }

  @Test(
    "every name of the transformer of archives gets values",
    arguments: ArchivingTransformers.names.sorted()
  )
  func names(_ transformer: String) throws {
    let model = Self.model(.transformableAttributeType) {
      $0.attributeValueClassName = "NSString"
      $0.valueTransformerName = transformer
    }
    let made = try Made(model, GenerationPlan(counts: ["Note": 5]))
    #expect(try made.map("Note") { $0.value(forKey: "value") is String } == Array(repeating: true, count: 5))
  }

  @Test("a required attribute of another class is refused, with what to do")
  func unknownClass() {
    let model = Self.model(.transformableAttributeType) { $0.attributeValueClassName = "[Colour]" }
    #expect(throws: GenerationError.self) {
      try DataGenerator(model: model, plan: GenerationPlan(counts: ["Note": 1]))
    }
  }

  @Test(
    "an attribute whose user info names a transformer gets values of its type",
    arguments: GeneratedSeedFormat.allCases,
    ["sync.valueTransformer", "JSONTransformerName"]
  )
  func annotated(format: GeneratedSeedFormat, key: String) throws {
    let model = Self.model(.stringAttributeType) { $0.userInfo = [key: "NotRegistered"] }
    let made = try Made(model, GenerationPlan(counts: ["Note": 20]), as: format)
    #expect(made.report.entities["Note"]?.created == 20)
    #expect(try made.map("Note") { $0.value(forKey: "value") is String }.allSatisfy(\.self))
    #expect(String(decoding: made.seed, as: UTF8.self).contains("\"$plain\": true"))
  }

  @Test("a model without annotations has no header", arguments: GeneratedSeedFormat.allCases)
  func notAnnotated(format: GeneratedSeedFormat) throws {
    let model = Self.model(.stringAttributeType) { _ in }
    let made = try Made(model, GenerationPlan(counts: ["Note": 2]), as: format)
    #expect(!String(decoding: made.seed, as: UTF8.self).contains("$plain"))
  }
}
