import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A migration that cannot be done")
struct MigrationFailureTests {
  private static let old = """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>
    <attribute name="rating" attributeType="Integer 16" optional="YES"/>
    <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag"/></entity>
    <entity name="Tag"/>
    """

  private func filled(_ kind: StoreKind) throws -> VersionedStore {
    try VersionedStore(Self.old, on: kind) { context in
      for name in ["a", "a"] { context.make("Note", ["name": name]) }
    }
  }

  private func error(
    _ store: VersionedStore,
    _ new: String,
    _ options: [AnyHashable: Any]? = VersionedStore.automatic
  ) throws -> NSError {
    let before = try store.dump()
    let model = try VersionedStore.model(new)
    var found: NSError?
    do {
      _ = try store.open(model, options: options)
    } catch {
      found = error as NSError
    }
    try store.close()
    #expect(try store.dump() == before)
    return try #require(found)
  }

  @Test(
    "an error for a missing required value names the entity, the attribute and the object",
    arguments: StoreKind.migrating
  )
  func missingValue(_ kind: StoreKind) throws {
    let new = Self.old.replacingOccurrences(
      of: #"attributeType="Integer 16" optional="YES""#,
      with: #"attributeType="Integer 16""#
    )
    let error = try error(filled(kind), new)
    #expect(error.code == NSMigrationError)
    #expect(error.localizedDescription.contains("Note.rating"))
    #expect(error.localizedDescription.contains("Note/p1"))
    #expect(error.userInfo["entity"] as? String == "Note")
    #expect(error.userInfo["attribute"] as? String == "rating")
    #expect((error.userInfo["reason"] as? String)?.contains("mandatory destination attribute") == true)
  }

  @Test("an error for a missing required destination names it likewise", arguments: StoreKind.migrating)
  func missingDestination(_ kind: StoreKind) throws {
    let new = Self.old.replacingOccurrences(
      of: "</entity>\n<entity name=\"Tag\"/>",
      with: #"<relationship name="main" maxCount="1" destinationEntity="Tag"/></entity><entity name="Tag"/>"#
    )
    let error = try error(filled(kind), new)
    #expect(error.code == NSMigrationError)
    #expect(error.userInfo["relationship"] as? String == "main")
  }

  @Test("an error for objects that break a new constraint says so", arguments: StoreKind.migrating)
  func constraint(_ kind: StoreKind) throws {
    let new = Self.old.replacingOccurrences(
      of: "</entity>\n<entity name=\"Tag\"/>",
      with: """
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
        </uniquenessConstraints></entity><entity name="Tag"/>
        """
    )
    let error = try error(filled(kind), new)
    #expect(error.code == NSMigrationConstraintViolationError)
    #expect(error.localizedDescription.contains(kind.isPostgreSQL ? "note_unique_name" : "ZNOTE.ZNAME"))
  }

  @Test(
    "an error for a mapping that cannot be inferred names the entity and the property",
    arguments: StoreKind.migrating,
    [
      (#"attributeType="Integer 16""#, #"attributeType="String""#, "rating"),
      (#"toMany="YES""#, #"maxCount="1""#, "tags"),
    ]
  )
  func inference(_ kind: StoreKind, _ change: (String, String, String)) throws {
    let (before, after, property) = change
    let error = try error(filled(kind), Self.old.replacingOccurrences(of: before, with: after))
    #expect(error.code == NSMigrationMissingMappingModelError)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.code == NSInferredMappingModelError)
    #expect(underlying.userInfo["entity"] as? String == "Note")
    #expect(underlying.userInfo["property"] as? String == property)
    #expect(error.localizedDescription.contains("entity Note"))
    #expect(error.localizedDescription.contains(property))
  }

  @Test("since it was not asked for leaves the store, which is refused", arguments: StoreKind.migrating)
  func notAskedFor(_ kind: StoreKind) throws {
    let new = Self.old + #"<entity name="More"/>"#
    #expect(try error(filled(kind), new, nil).code == NSPersistentStoreIncompatibleVersionHashError)
    let noMapping = try error(filled(kind), new, [NSMigratePersistentStoresAutomaticallyOption: true])
    #expect(noMapping.code == NSMigrationMissingMappingModelError)
    let readOnly = VersionedStore.automatic.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
    #expect(try error(filled(kind), new, readOnly).code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test(
    "an error for a missing source model says where the model could be",
    arguments: StoreKind.migrating
  )
  func missingSource(_ kind: StoreKind) throws {
    let store = try filled(kind)
    try store.execute(kind.isPostgreSQL ? "DELETE FROM perennial_model" : "DELETE FROM Z_MODELCACHE")
    let error = try error(store, Self.old + #"<entity name="More"/>"#)
    #expect(error.code == NSMigrationMissingSourceModelError)
    #expect(error.localizedDescription.contains(store.name))
  }

  @Test("a migration by objects names the wrong object and keeps the store", arguments: StoreKind.migrating)
  func byObjects(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let before = try store.dump()
    let new = Self.old.replacingOccurrences(
      of: #"attributeType="Integer 16" optional="YES""#,
      with: #"attributeType="Integer 16""#
    )
    #expect(throws: (any Error).self) {
      try store.migrate(new, kind.isPostgreSQL ? .byObjectsInPostgreSQL : .byObjects)
    }
    #expect(try store.dump() == before)
  }
}
