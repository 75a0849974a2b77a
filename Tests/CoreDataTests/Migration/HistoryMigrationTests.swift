import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration of a store with a history")
struct HistoryMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static func attribute(_ name: String, _ type: String, _ rest: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" optional=\"YES\" \(rest)/>"
  }

  private static let tag = #"<relationship name="tag" optional="YES" maxCount="1" destinationEntity="Tag"/>"#
  private static let old = """
    <entity name="Note">\(name)\(attribute("rating", "Integer 16"))\(tag)
    \(attribute("secret", "String", #"preserveAfterDeletion="YES""#))</entity>
    <entity name="Tag">\(name)</entity><entity name="Gone">\(name)</entity>
    """
  /// A version in which the numbers of the entities, the bits of the properties and the columns of tombstone
  /// values all change.
  private static let new = """
    <entity name="Abc"/><entity name="Note">\(name)\(attribute("alpha", "String"))
    \(attribute("stars", "Integer 16", #"elementID="rating""#))\(tag)
    \(attribute("also", "String", #"preserveAfterDeletion="YES""#))
    \(attribute("zecret", "String", #"preserveAfterDeletion="YES" elementID="secret""#))</entity>
    <entity name="Tag">\(name)</entity><entity name="Sub" parentEntity="Tag"/>
    """

  @Test("the history refers to the new model after a migration", arguments: StoreKind.migrating)
  func changes(_ kind: StoreKind) throws {
    let store = try VersionedStore(Self.old, on: kind)
    let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    var context = try store.open(VersionedStore.model(Self.old), options: tracking)
    let note = context.make("Note", ["name": "a"])
    let doomed = context.make("Note", ["name": "b", "secret": "s"])
    context.make("Gone", ["name": "g"])
    try context.save()
    note.setValue(3, forKey: "rating")
    note.setValue(context.make("Tag", ["name": "t"]), forKey: "tag")
    context.delete(doomed)
    try context.save()
    try store.close()

    let options = VersionedStore.automatic.merging(tracking) { $1 }
    context = try store.open(VersionedStore.model(Self.new), options: options)
    let changes = try context.changes()
    #expect(changes.allSatisfy { $0.changedObjectID.entity.managedObjectModel.entitiesByName["Abc"] != nil })
    #expect(
      changes.map { "\($0.changedObjectID.entity.name ?? "") \($0.changeType.rawValue)" }.sorted() == [
        "Note 0", "Note 0", "Note 1", "Note 2", "Tag 0",
      ]
    )
    let update = try #require(changes.first { $0.changeType == .update })
    #expect(Set(update.updatedProperties?.map(\.name) ?? []) == ["stars", "tag"])
    let deletion = try #require(changes.first { $0.changeType == .delete })
    #expect(deletion.tombstone?["zecret"] as? String == "s")
    #expect(deletion.tombstone?["also"] == nil)
    let kept = try #require(try context.all("Note").first)
    kept.setValue("x", forKey: "alpha")
    try context.save()
    let last = try #require(try context.changes().last)
    #expect(last.updatedProperties?.map(\.name) == ["alpha"])
  }
}
