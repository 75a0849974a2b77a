import CoreData
import Foundation
import Testing

@testable import CoreData

/// A policy that gives each destination object a name by which the test recognizes it.
final class SigningPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    for object in made { object.setValue("signed", forKey: "name") }
  }
}

@Suite("An inferred mapping model that was edited")
struct EditedMappingTests {
  private static func contents(_ attributes: String = "") -> String {
    """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>\(attributes)\
    <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="notes" \
    inverseEntity="Tag"/></entity><entity name="Tag"><attribute name="name" attributeType="String" optional="YES"/>\
    <relationship name="notes" toMany="YES" optional="YES" destinationEntity="Note" inverseName="tags" \
    inverseEntity="Note"/></entity>
    """
  }

  private static let rank = #"<attribute name="rank" attributeType="Integer 16" optional="YES"/>"#
  private static let added = #"<attribute name="state" attributeType="String" optional="YES"/>"#

  private let models: (old: NSManagedObjectModel, new: NSManagedObjectModel)

  init() throws {
    models = (
      try VersionedStore.model(Self.contents(Self.rank)),
      try VersionedStore.model(Self.contents(Self.rank + Self.added))
    )
  }

  private func inferred() throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(forSourceModel: models.old, destinationModel: models.new)
  }

  private static func note(_ model: NSMappingModel) throws -> NSEntityMapping {
    try #require(model.entityMappings.first { $0.destinationEntityName == "Note" })
  }

  private static func rank(_ model: NSMappingModel) throws -> NSPropertyMapping {
    try #require(note(model).attributeMappings?.first { $0.name == "rank" })
  }

  // MARK: - Edits

  /// The edits of a mapping model, by the name of the property that they set.
  private static let modelEdits: [String: [@Sendable (NSMappingModel) throws -> Void]] = [
    "entityMappings": [
      { $0.entityMappings.removeLast() }, { $0.entityMappings.append(NSEntityMapping()) },
      { $0.entityMappings.reverse() }, { $0.entityMappings = nil },
    ]
  ]

  private static let entityEdits: [String: [@Sendable (NSEntityMapping) throws -> Void]] = [
    "name": [{ $0.name = "Other" }],
    "mappingType": [{ $0.mappingType = .customEntityMappingType }],
    "sourceEntityName": [{ $0.sourceEntityName = nil }, { $0.sourceEntityName = "Tag" }],
    "sourceEntityVersionHash": [{ $0.sourceEntityVersionHash = nil }],
    "destinationEntityName": [{ $0.destinationEntityName = "Tag" }],
    "destinationEntityVersionHash": [{ $0.destinationEntityVersionHash = Data([1]) }],
    "attributeMappings": [
      { $0.attributeMappings = nil }, { $0.attributeMappings?.removeLast() },
      { $0.attributeMappings?.append(NSPropertyMapping()) },
    ],
    "relationshipMappings": [{ $0.relationshipMappings?.removeAll() }],
    "sourceExpression": [
      { $0.sourceExpression = nil },
      { $0.sourceExpression = NSExpression(forConstantValue: [Any]()) },
    ],
    "entityMigrationPolicyClassName": [{ $0.entityMigrationPolicyClassName = "CoreDataTests.SigningPolicy" }],
  ]

  private static let propertyEdits: [String: [@Sendable (NSPropertyMapping) throws -> Void]] = [
    "name": [{ $0.name = "state" }],
    "valueExpression": [
      { $0.valueExpression = nil }, { $0.valueExpression = NSExpression(forConstantValue: 7) },
    ],
  ]

  private func isCarriedOutAsInferred(_ edit: (NSMappingModel) throws -> Void) throws -> Bool {
    let mapping = try inferred()
    try edit(mapping)
    return mapping.lightweightMigration(from: models.old, to: models.new) != nil
  }

  @Test("an edited mapping is not applied as inferred, whichever property was set")
  func eachProperty() throws {
    #expect(try isCarriedOutAsInferred { _ in })
    for (name, edits) in Self.modelEdits {
      for edit in edits { #expect(try !isCarriedOutAsInferred(edit), "\(name)") }
    }
    for (name, edits) in Self.entityEdits {
      for edit in edits {
        #expect(try !isCarriedOutAsInferred { try edit(Self.note($0)) }, "entity: \(name)")
      }
    }
    for (name, edits) in Self.propertyEdits {
      for edit in edits {
        #expect(try !isCarriedOutAsInferred { try edit(Self.rank($0)) }, "property: \(name)")
      }
    }
    // Only the author of the user info reads it.
    #expect(try isCarriedOutAsInferred { try Self.note($0).userInfo = ["a": 1] })
    #expect(try isCarriedOutAsInferred { try Self.rank($0).userInfo = ["a": 1] })
  }

  @Test("the test of edits covers all properties")
  func properties() {
    func names(_ object: Any) -> Set<String> {
      Set(Mirror(reflecting: object).children.compactMap(\.label)).subtracting(["userInfo"])
    }
    #expect(names(NSMappingModel()).subtracting(["inference"]) == Set(Self.modelEdits.keys))
    #expect(names(NSEntityMapping()) == Set(Self.entityEdits.keys))
    #expect(names(NSPropertyMapping()) == Set(Self.propertyEdits.keys))
  }

  @Test("a mapping whose edit was undone is applied as inferred, but only between its own models")
  func takenBack() throws {
    let mapping = try inferred()
    let rank = try Self.rank(mapping)
    let expression = rank.valueExpression
    rank.valueExpression = nil
    rank.valueExpression = expression
    #expect(mapping.lightweightMigration(from: models.old, to: models.new) != nil)
    let other = try VersionedStore.model(Self.contents(Self.added))
    #expect(mapping.lightweightMigration(from: models.old, to: other) == nil)
    #expect(NSMappingModel().lightweightMigration(from: models.old, to: models.new) == nil)
  }

  // MARK: - Execution

  /// The ways in which a program can apply a mapping model.
  enum Way: String, CaseIterable, Sendable {
    case byManager, inPlace
  }

  static let kinds: [StoreKind] = StoreKind.migrating + [.xml]

  private func migrate(
    _ kind: StoreKind,
    _ way: Way,
    _ edit: (NSMappingModel) throws -> Void,
    check: (NSManagedObjectContext) throws -> Void
  ) throws {
    let store = try VersionedStore(Self.contents(Self.rank), on: kind) { context in
      let note = context.make("Note", ["name": "n", "rank": 3])
      note.setValue(NSSet(object: context.make("Tag", ["name": "t"])), forKey: "tags")
    }
    let mapping = try inferred()
    try edit(mapping)
    let context: NSManagedObjectContext
    switch way {
    case .byManager:
      let target =
        kind.isPostgreSQL ? try #require(kind.place(in: store.folder.url)) : store.folder.file("new")
      try NSMigrationManager(sourceModel: models.old, destinationModel: models.new)
        .migrateStore(from: store.file, type: store.type, mapping: mapping, to: target, type: store.type)
      context = try store.open(models.new, at: target)
    case .inPlace:
      try NSPersistentStoreCoordinator(managedObjectModel: models.new)
        .migrateStore(at: store.file, ofType: store.type.rawValue, from: models.old, by: mapping)
      context = try store.open(models.new)
    }
    // The store is closed when it is released.
    try withExtendedLifetime(store) { try check(context) }
  }

  @Test("the policy of an edited mapping is called", arguments: kinds, Way.allCases)
  func policy(_ kind: StoreKind, _ way: Way) throws {
    try migrate(kind, way) {
      try Self.note($0).entityMigrationPolicyClassName = "CoreDataTests.SigningPolicy"
    } check: { context in
      try #expect(context.texts("Note") == ["signed"])
      try #expect(context.all("Note").first?.names("tags") == ["t"])
    }
  }

  @Test("an edited mapping sets properties to its expressions' values", arguments: kinds, Way.allCases)
  func valueExpression(_ kind: StoreKind, _ way: Way) throws {
    try migrate(kind, way) {
      try Self.rank($0).valueExpression = NSExpression(forConstantValue: 7)
      try Self.note($0).attributeMappings?.first { $0.name == "state" }?.valueExpression = NSExpression(
        format: "$source.name"
      )
    } check: { context in
      let note = try #require(context.all("Note").first)
      #expect(note.value(forKey: "rank") as? Int == 7)
      #expect(note.text("state") == "n")
    }
  }

  @Test("properties without a mapping stay empty", arguments: kinds, Way.allCases)
  func removedProperties(_ kind: StoreKind, _ way: Way) throws {
    try migrate(kind, way) {
      try Self.note($0).attributeMappings?.removeAll { $0.name == "rank" }
      for mapping in $0.entityMappings { mapping.relationshipMappings = [] }
    } check: { context in
      let note = try #require(context.all("Note").first)
      #expect(note.value(forKey: "rank") == nil)
      #expect(note.text() == "n")
      #expect(note.names("tags") == [])
    }
  }

  @Test(
    "objects are left out if their mapping was removed, or if its expression does not match them",
    arguments: kinds,
    Way.allCases
  )
  func removedObjects(_ kind: StoreKind, _ way: Way) throws {
    try migrate(kind, way) {
      $0.entityMappings.removeAll { $0.destinationEntityName == "Tag" }
    } check: { context in
      try #expect(context.texts("Note") == ["n"])
      try #expect(context.texts("Tag") == [])
    }
    try migrate(kind, way) {
      try Self.note($0).sourceExpression = NSExpression(forConstantValue: [Any]())
    } check: { context in
      try #expect(context.texts("Note") == [])
      try #expect(context.texts("Tag") == ["t"])
    }
  }
}
