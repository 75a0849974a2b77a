import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("The history of composite attributes")
struct CompositeHistoryTests {
  /// A modifier changes the version hash, which does not depend on the elements of an entity's composite attributes.
  private static func model(_ elements: String, version: Int) -> String {
    """
    <entity name="Place"><attribute name="name" attributeType="String" optional="YES" preserveAfterDeletion="YES"/>
    <attribute name="position" attributeType="Composite" composite="Position" optional="YES" \
    preserveAfterDeletion="YES" versionHashModifier="\(version)"/><attribute name="visits" attributeType="Integer 16" optional="YES"/></entity>
    <composite name="Position">\(elements)</composite>
    """
  }

  private static let old = model(
    """
    <attribute name="latitude" attributeType="Double" optional="YES"/>
    <attribute name="label" attributeType="String" optional="YES"/>
    """,
    version: 1
  )
  private static let new = model(
    """
    <attribute name="height" attributeType="Double" optional="YES"/>
    <attribute name="caption" attributeType="String" optional="YES" elementID="label"/>
    """,
    version: 2
  )

  private let store: VersionedStore
  private let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]

  /// Makes three transactions: a place is inserted, one of its elements is changed, and it is deleted.
  init() throws {
    store = try VersionedStore(Self.old)
    let context = try store.open(VersionedStore.model(Self.old), options: tracking)
    let place = context.make("Place", ["name": "a", "position": ["latitude": 48.5, "label": "x"]])
    try context.save()
    place.setValue(50.0, forKeyPath: "position.latitude")
    try context.save()
    context.delete(place)
    try context.save()
    try store.close()
  }

  @Test("the history names a composite attribute when an element changes, and keeps deleted elements")
  func changes() throws {
    let context = try store.open(VersionedStore.model(Self.old), options: tracking)
    let changes = try context.changes()
    #expect(changes.map(\.changeType) == [.insert, .update, .delete])
    #expect(changes[1].updatedProperties?.map(\.name) == ["position"])
    let tombstone = try #require(changes[2].tombstone)
    #expect(tombstone["name"] as? String == "a")
    #expect(
      tombstone["position"] as? [String: NSObject] == ["latitude": 50 as NSNumber, "label": "x" as NSString]
    )
  }

  @Test("after a migration the history refers to the new model: elements follow their names")
  func migration() throws {
    let options = VersionedStore.automatic.merging(tracking) { $1 }
    let context = try store.open(VersionedStore.model(Self.new), options: options)
    let changes = try context.changes()
    #expect(changes.map(\.changeType) == [.insert, .update, .delete])
    #expect(changes[1].updatedProperties?.map(\.name) == ["position"])
    let tombstone = try #require(changes[2].tombstone)
    #expect(tombstone["name"] as? String == "a")
    #expect(tombstone["position"] as? [String: NSObject] == ["caption": "x" as NSString])
  }
}
