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

  private func filled() throws -> VersionedStore {
    try VersionedStore(Self.old) { context in
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

  @Test("because an object lacks what is required now is said with entity, attribute and object")
  func missingValue() throws {
    let new = Self.old.replacingOccurrences(
      of: #"attributeType="Integer 16" optional="YES""#,
      with: #"attributeType="Integer 16""#
    )
    let error = try error(filled(), new)
    #expect(error.code == NSMigrationError)
    #expect(error.localizedDescription.contains("Note.rating"))
    #expect(error.localizedDescription.contains("Note/p1"))
    #expect(error.userInfo["entity"] as? String == "Note")
    #expect(error.userInfo["attribute"] as? String == "rating")
    #expect((error.userInfo["reason"] as? String)?.contains("mandatory destination attribute") == true)
  }

  @Test("because an object lacks a required destination is said likewise")
  func missingDestination() throws {
    let new = Self.old.replacingOccurrences(
      of: "</entity>\n<entity name=\"Tag\"/>",
      with: #"<relationship name="main" maxCount="1" destinationEntity="Tag"/></entity><entity name="Tag"/>"#
    )
    let error = try error(filled(), new)
    #expect(error.code == NSMigrationError)
    #expect(error.userInfo["relationship"] as? String == "main")
  }

  @Test("because objects break a new constraint says so")
  func constraint() throws {
    let new = Self.old.replacingOccurrences(
      of: "</entity>\n<entity name=\"Tag\"/>",
      with: """
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
        </uniquenessConstraints></entity><entity name="Tag"/>
        """
    )
    let error = try error(filled(), new)
    #expect(error.code == NSMigrationConstraintViolationError)
    #expect(error.localizedDescription.contains("ZNOTE.ZNAME"))
  }

  @Test(
    "because no mapping can be inferred names the entity and the property",
    arguments: [
      (#"attributeType="Integer 16""#, #"attributeType="String""#, "rating"),
      (#"toMany="YES""#, #"maxCount="1""#, "tags"),
    ]
  )
  func inference(before: String, after: String, property: String) throws {
    let error = try error(filled(), Self.old.replacingOccurrences(of: before, with: after))
    #expect(error.code == NSMigrationMissingMappingModelError)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.code == NSInferredMappingModelError)
    #expect(underlying.userInfo["entity"] as? String == "Note")
    #expect(underlying.userInfo["property"] as? String == property)
    #expect(error.localizedDescription.contains("entity Note"))
    #expect(error.localizedDescription.contains(property))
  }

  @Test("since it was not asked for leaves the store, which is refused")
  func notAskedFor() throws {
    let new = Self.old + #"<entity name="More"/>"#
    #expect(try error(filled(), new, nil).code == NSPersistentStoreIncompatibleVersionHashError)
    let noMapping = try error(filled(), new, [NSMigratePersistentStoresAutomaticallyOption: true])
    #expect(noMapping.code == NSMigrationMissingMappingModelError)
    let readOnly = VersionedStore.automatic.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
    #expect(try error(filled(), new, readOnly).code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test("for want of the model that the store was made with says where it could be")
  func missingSource() throws {
    let store = try filled()
    try store.folder.execute("DELETE FROM Z_MODELCACHE", at: store.file)
    let error = try error(store, Self.old + #"<entity name="More"/>"#)
    #expect(error.code == NSMigrationMissingSourceModelError)
    #expect(error.localizedDescription.contains(store.file.path))
  }

  @Test("object by object leaves the source and says which object is wrong")
  func byObjects() throws {
    let store = try filled()
    let before = try store.dump()
    let new = Self.old.replacingOccurrences(
      of: #"attributeType="Integer 16" optional="YES""#,
      with: #"attributeType="Integer 16""#
    )
    #expect(throws: (any Error).self) { try store.migrate(new, .byObjects) }
    #expect(try store.dump() == before)
  }
}
