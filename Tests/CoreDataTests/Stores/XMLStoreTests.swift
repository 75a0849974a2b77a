import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@testable import CoreData

@Suite("The format of XML stores")
struct XMLStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func relate(
    _ one: NSEntityDescription,
    _ toMany: String,
    _ other: NSEntityDescription,
    _ toOne: String
  ) {
    let (many, single) = (NSRelationshipDescription(), NSRelationshipDescription())
    (many.name, many.destinationEntity, many.inverseRelationship) = (toMany, other, single)
    (single.name, single.destinationEntity, single.inverseRelationship) = (toOne, one, many)
    (many.maxCount, single.maxCount, many.isOptional, single.isOptional) = (0, 1, true, true)
    (many.deleteRule, single.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
    one.properties += [many]
    other.properties += [single]
  }

  private static func entity(_ name: String, _ attributes: [NSAttributeDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes
    return entity
  }

  /// The part of the model of mapping models that their files reveal.
  private static func mappingModel() -> NSManagedObjectModel {
    let common = {
      [attribute("name", .stringAttributeType), attribute("autogenerateExpression", .booleanAttributeType)]
    }
    let mapping = entity(
      "XDDevMappingModel",
      ["sourceModelPath", "destinationModelPath"].map { attribute($0, .stringAttributeType) }
        + ["sourceModelData", "destinationModelData"].map { attribute($0, .binaryDataAttributeType) }
    )
    let entityMapping = entity(
      "XDDevEntityMapping",
      ["sourceName", "destinationName", "mappingTypeName", "migrationPolicyClassName"].map {
        attribute($0, .stringAttributeType)
      } + [
        attribute("mappingNumber", .integer16AttributeType),
        attribute("autogenerateExpression", .booleanAttributeType),
      ]
    )
    let attributeMapping = entity("XDDevAttributeMapping", common())
    let relationshipMapping = entity("XDDevRelationshipMapping", common())
    relate(mapping, "entityMappings", entityMapping, "mappingModel")
    relate(entityMapping, "attributeMappings", attributeMapping, "entityMapping")
    relate(entityMapping, "relationshipMappings", relationshipMapping, "entityMapping")
    let model = NSManagedObjectModel()
    model.entities = [mapping, entityMapping, attributeMapping, relationshipMapping]
    return model
  }

  private static let mappings: [String] = {
    let all =
      FileManager.default.enumerator(atPath: SharedFolder.url.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix("/xcmapping.xml") }.sorted()
  }()

  private func context(_ file: URL, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSXMLStoreType,
      configurationName: nil,
      at: file,
      options: [NSIgnorePersistentStoreVersioningOption: true]
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(
    "Apple's mapping models open as XML stores, are read completely, and are equal after a save",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: mappings
  )
  func appleMade(_ path: String) throws {
    let file = folder.file("mapping.xml")
    try FileManager.default.copyItem(at: SharedFolder.url(path), to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    let model = Self.mappingModel()
    let first = try summary(try context(file, model))
    #expect(first.count == text.components(separatedBy: "<object type=").count - 1)
    // The first object is the mapping model, and the others include mappings of an entity and of an attribute.
    #expect(first.count >= 3)

    let writing = try context(file, model)
    let one = try #require(
      try writing.fetch(NSFetchRequest<NSManagedObject>(entityName: "XDDevEntityMapping")).first
    )
    one.setValue(one.value(forKey: "mappingNumber"), forKey: "mappingNumber")
    one.setValue("changed", forKey: "migrationPolicyClassName")
    try writing.save()
    one.setValue(nil, forKey: "migrationPolicyClassName")
    try writing.save()
    let second = try summary(try context(file, model))
    #expect(first.keys == second.keys)
    let changed = first.filter { second[$0.key] != $0.value }.keys
    #expect(changed.allSatisfy { $0 == one.objectID.uriRepresentation().path })
  }

  /// All values, by the URI of their object.
  private func summary(_ context: NSManagedObjectContext) throws -> [String: [String: String]] {
    var summary: [String: [String: String]] = [:]
    for entity in context.persistentStoreCoordinator?.managedObjectModel.entities ?? [] {
      for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
        var values: [String: String] = [:]
        for name in entity.attributesByName.keys { values[name] = object.value(forKey: name).map { "\($0)" } }
        for (name, relationship) in entity.relationshipsByName {
          let value = object.value(forKey: name)
          let found =
            (value as? Set<NSManagedObject>).map(Array.init) ?? [value as? NSManagedObject].compactMap(\.self)
          values[name] = found.map { $0.objectID.uriRepresentation().path }.sorted().joined(separator: " ")
          let inverse = try #require(relationship.inverseRelationship?.name)
          for destination in found {
            let back = destination.value(forKey: inverse)
            #expect(
              back as? NSManagedObject === object || (back as? Set<NSManagedObject>)?.contains(object) == true
            )
          }
        }
        summary[object.objectID.uriRepresentation().path] = values
      }
    }
    return summary
  }

  @Test("an XML store has Apple's spelling")
  func spelling() throws {
    let (note, tag) = (
      Self.entity(
        "Note",
        [
          Self.attribute("firstTitle", .stringAttributeType),
          Self.attribute("isPinned", .booleanAttributeType),
        ]
      ),
      Self.entity("Tag", [Self.attribute("rank", .integer16AttributeType)])
    )
    Self.relate(note, "someTags", tag, "ownNote")
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    let context = try context(folder.file("store.xml"), model)
    let object = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    object.setValuesForKeys(["firstTitle": "a < b", "isPinned": true])
    try context.save()
    let other = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    other.setValuesForKeys(["rank": 2, "ownNote": object])
    try context.save()
    let text = try String(contentsOf: folder.file("store.xml"), encoding: .utf8)
    let end = try #require(text.range(of: "    </databaseInfo>\n")).upperBound
    #expect(
      text[end...] == """
            <object type="NOTE" id="z1">
                <attribute name="firsttitle" type="string">a &lt; b</attribute>
                <attribute name="ispinned" type="bool">1</attribute>
                <relationship name="sometags" type="0/0" destination="TAG" idrefs="z2"></relationship>
            </object>
            <object type="TAG" id="z2">
                <attribute name="rank" type="int16">2</attribute>
                <relationship name="ownnote" type="1/1" destination="NOTE" idrefs="z1"></relationship>
            </object>
        </database>

        """
    )
    #expect(text.contains("<nextObjectID>2</nextObjectID>"))
    #expect(text.contains("<version>134481920</version>"))
    #expect(text.contains("<key>NSStoreModelVersionHashes</key>"))
  }

  @Test("an XML store that does not fit the model is refused with file, object and value")
  func wrong() throws {
    let model = Self.mappingModel()
    _ = try context(folder.file("store.xml"), model)
    let good = try String(contentsOf: folder.file("store.xml"), encoding: .utf8)
    for (object, words) in [
      ("<object type=\"OTHER\" id=\"z1\"></object>", "OTHER"),
      ("<object type=\"XDDEVENTITYMAPPING\" id=\"1\"></object>", "\"1\""),
      (
        "<object type=\"XDDEVENTITYMAPPING\" id=\"z1\"><attribute name=\"mappingnumber\" type=\"int16\">many</attribute></object>",
        "\"many\", which is not a value of"
      ),
    ] {
      let broken = good.replacingOccurrences(of: "</database>", with: object + "</database>")
      try Data(broken.utf8).write(to: folder.file("store.xml"))
      let error = #expect(throws: NSError.self) { try context(folder.file("store.xml"), model) }
      #expect(error?.localizedDescription.contains(words) == true, "\(error?.localizedDescription ?? "")")
      #expect(error?.localizedDescription.contains(folder.file("store.xml").path) == true)
    }
  }
}
