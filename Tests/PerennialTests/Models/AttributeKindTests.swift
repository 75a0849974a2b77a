import CoreData
import DataGeneration
import Foundation
import ModelFormats
import Seeding
import TestSupport
import Testing

@testable import PerennialCommands

@Suite("Attribute types in the modules")
struct AttributeKindTests {
  private static let plain = AttributeKind.all.filter(\.storage.isPlain).map(\.type)

  private static func attribute(_ kind: AttributeKind) throws -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "value"
    attribute.attributeType = try #require(NSAttributeType(rawValue: UInt(kind.number)))
    attribute.isOptional = true
    return attribute
  }

  /// A value of the type as programs set it.
  private static func value(_ kind: AttributeKind) throws -> Any {
    return switch kind.storage {
    case .integer: NSNumber(value: try #require(kind.range).upperBound)
    case .boolean: NSNumber(value: true)
    case .real: NSNumber(value: 0.5)
    case .date: Date(timeIntervalSinceReferenceDate: 388_411_200)
    case .decimal: NSDecimalNumber(decimal: Decimal(5) / 2)
    case .text: "Äpfel"
    case .data: Data([0, 255])
    case .uuid: UUID()
    case .uri: try #require(URL(string: "https://example.com/a"))
    case .transformable, .composite, .none: NSNull()
    }
  }

  @Test(
    "NSAttributeType has each type of the table, with the class of its values",
    arguments: ModelDocument.AttributeType.allCases
  )
  func types(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    let attribute = try Self.attribute(kind)
    #expect(AttributeKind(attribute.attributeType).type == kind.type)
    #expect(attribute.attributeValueClassName == kind.valueClass)
    #expect(attribute.type.rawValue == UInt(kind.number))
  }

  @Test(
    "Each type whose values a seed gives has a JSON Schema, with the table's pattern and range",
    arguments: plain
  )
  func schemas(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    guard case .object(let fields) = AttributeSchema(try Self.attribute(kind), isAnnotated: false).node else {
      Issue.record("the schema of \(kind.title) is not an object")
      return
    }
    #expect(fields["description"] == .string(kind.storage == .data ? "\(kind.title), in Base64" : kind.title))
    let node = fields["else"] ?? .object(fields)
    #expect(
      Self.values(of: "pattern", node: node) == (kind.pattern.map { [.string($0)] } ?? Self.ownPatterns(kind))
    )
    if let range = kind.range {
      #expect(Self.values(of: "minimum", node: node) == [.integer(range.lowerBound)])
      #expect(Self.values(of: "maximum", node: node) == [.integer(range.upperBound)])
    }
    let isTyped = !Self.values(of: "type", node: node).isEmpty || !Self.values(of: "enum", node: node).isEmpty
    #expect(isTyped)
  }

  /// The patterns of a schema that depends on more than the type: that of a date, on the file's header.
  private static func ownPatterns(_ kind: AttributeKind) -> [SchemaNode] {
    kind.storage == .date ? [.string("[0-9]")] : []
  }

  /// The values that a key has anywhere in a schema.
  private static func values(of key: String, node: SchemaNode) -> [SchemaNode] {
    switch node {
    case .object(let fields):
      (fields[key].map { [$0] } ?? []) + fields.values.flatMap { values(of: key, node: $0) }
    case .list(let nodes): nodes.flatMap { values(of: key, node: $0) }
    case .null, .bool, .integer, .number, .string: []
    }
  }

  @Test("Each type of store reads back the value that it saved", arguments: plain)
  func stores(_ type: ModelDocument.AttributeType) throws {
    let kind = AttributeKind(type)
    for store in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType] {
      let model = try Self.model(kind)
      let folder = try TestFolder()
      defer { withExtendedLifetime(folder) {} }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: store,
        configurationName: nil,
        at: folder.url.appendingPathComponent("store"),
        options: nil
      )
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        let value = try Self.value(kind)
        let object = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        object.setValue(value, forKey: "value")
        try context.save()
        context.reset()
        let found = try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first
        )
        let read = try #require(found.value(forKey: "value"), "\(kind.title) in \(store)")
        #expect((read as? NSObject)?.isEqual(value) == true, "\(kind.title) in \(store)")
      }
    }
  }

  private static func model(_ kind: AttributeKind) throws -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = [try attribute(kind)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
