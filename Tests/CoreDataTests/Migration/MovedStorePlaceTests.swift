import CoreData
import Foundation
import Synchronization
import Testing

/// A transformer that inspects a location each time that a value is written.
final class PlaceProbe: ValueTransformer {
  static let place = Mutex("")
  static let found = Mutex<[Bool]>([])

  override class func transformedValueClass() -> AnyClass { NSData.self }

  override func transformedValue(_ value: Any?) -> Any? {
    look()
    return (value as? String).map { Data($0.utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0, as: UTF8.self) }
  }

  private func look() {
    let isThere = FileManager.default.fileExists(atPath: Self.place.withLock { $0 })
    Self.found.withLock { $0.append(isThere) }
  }
}

@Suite("The place of a moved store", .serialized)
struct MovedStorePlaceTests {
  private static func model() -> NSManagedObjectModel {
    let (value, thing) = (NSAttributeDescription(), NSEntityDescription())
    (value.name, value.attributeType) = ("value", .transformableAttributeType)
    value.valueTransformerName = "PlaceProbe"
    (thing.name, thing.properties) = ("Thing", [value])
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }

  @Test(
    "the destination of a move is empty until all objects are copied",
    arguments: [
      (NSSQLiteStoreType, NSXMLStoreType), (NSSQLiteStoreType, NSBinaryStoreType),
      (NSXMLStoreType, NSSQLiteStoreType), (NSInMemoryStoreType, NSSQLiteStoreType),
    ]
  )
  func filledFirst(_ type: String, _ newType: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    ValueTransformer.setValueTransformer(PlaceProbe(), forName: NSValueTransformerName("PlaceProbe"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: folder.appendingPathComponent("old")
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context).setValue("a", forKey: "value")
    try context.save()

    let place = folder.appendingPathComponent("new")
    PlaceProbe.place.withLock { $0 = place.path }
    PlaceProbe.found.withLock { $0 = [] }
    let new = try coordinator.migratePersistentStore(store, to: place, withType: newType)
    let found = PlaceProbe.found.withLock { $0 }
    #expect(!found.isEmpty && !found.contains(true))

    context.reset()
    let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    #expect(things.map { $0.value(forKey: "value") as? String } == ["a"])
    try coordinator.remove(new)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { !$0.hasPrefix("old") && !$0.hasPrefix("new") } == [])
  }
}
