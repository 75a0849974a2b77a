import CoreData
import DataGeneration
import Foundation
import Seeding
import Testing

/// Pins the bytes that a version of the generator makes. A change to these bytes requires a new version number.
@Suite("Made data of a version")
struct PinnedDataTests {
  /// An attribute of each type, under telling and arbitrary names, with hints and validation rules.
  private static func everything() -> NSManagedObjectModel {
    NoteModel.model { entities in
      guard let note = entities["Note"] else { return }
      let types: [(String, NSAttributeType)] = [
        ("email", .stringAttributeType), ("firstName", .stringAttributeType), ("url", .stringAttributeType),
        ("body", .stringAttributeType), ("city", .stringAttributeType), ("price", .decimalAttributeType),
        ("weight", .doubleAttributeType), ("ratio", .floatAttributeType), ("small", .integer16AttributeType),
        ("middle", .integer32AttributeType), ("large", .integer64AttributeType),
        ("isDone", .booleanAttributeType),
        ("bytes", .binaryDataAttributeType), ("token", .UUIDAttributeType), ("link", .URIAttributeType),
        ("state", .stringAttributeType), ("code", .stringAttributeType),
      ]
      for (name, type) in types {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = name != "email"
        note.properties.append(attribute)
      }
      note.attributesByName["state"]?.userInfo = ["generate.values": "draft,open,done"]
      note.attributesByName["code"]?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES %@", "[A-Z]{2}-\\d{4}")],
        withValidationWarnings: ["code"]
      )
      note.uniquenessConstraints = [["email"]]
    }
  }

  @Test(
    "version 3 makes these bytes",
    arguments: [
      (GeneratedSeedFormat.jsonLines, "c5cfc628afffa4f7b7947224bf274b480458bad109c6140fc2eeadb93299d370"),
      (GeneratedSeedFormat.json, "fcdb673ade04df9614d416c91127e5b801f8087f395749bb862a6ca5ed5d2aff"),
    ]
  )
  func version3(format: GeneratedSeedFormat, digest: String) throws {
    #expect(DataGenerator.version == 3)
    let plan = GenerationPlan(
      counts: ["Note": 200, "Tag": 12, "Category": 4],
      fanOuts: ["Note.tags": 1...3],
      seed: 42
    )
    let made = try Made(Self.everything(), plan, as: format)
    #expect(
      made.report.seeds.first?.contentHash == digest,
      "if this is meant, count DataGenerator.version up"
    )
  }
}
