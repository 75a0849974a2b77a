import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Copying a store into another")
struct StoreCopyTests {
  @Test("keeps every object, its key and its relationships, and what the application keeps in the metadata")
  func copy() throws {
    let stack = try Stack(.sqlite)
    let category = stack.category("c")
    for number in 1...5 { stack.note("note \(number)", category, tags: [stack.tag("t\(number)")]) }
    try stack.save()
    stack.context.delete(try #require(try stack.fetch(Note.self, "title == 'note 2'").first))
    let store = try #require(stack.coordinator.persistentStores.first)
    store.metadata["mine"] = "kept"
    try stack.save()

    let file = stack.folder.appendingPathComponent("copy.sqlite")
    let copy = try stack.coordinator.copyPersistentStore(store, toType: NSSQLiteStoreType, at: file)
    #expect(copy.identifier != store.identifier)
    #expect(copy.metadata["mine"] as? String == "kept")
    try stack.coordinator.remove(copy)
    let other = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try other.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = other
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    let notes = try context.fetch(request)
    #expect(notes.map(\.title) == ["note 1", "note 3", "note 4", "note 5"])
    #expect(notes.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p1", "p3", "p4", "p5"])
    #expect(notes.allSatisfy { $0.category?.name == "c" && $0.tags.count == 1 })
    #expect(try SQLiteStoreCheck(store: file, model: TestModel.shared).findings() == [])
  }

  @Test("refuses a place that is taken, and leaves it alone")
  func taken() throws {
    let stack = try Stack(.sqlite)
    let store = try #require(stack.coordinator.persistentStores.first)
    let file = stack.folder.appendingPathComponent("taken.sqlite")
    try Data("here".utf8).write(to: file)
    let error = #expect(throws: NSError.self) {
      try stack.coordinator.copyPersistentStore(store, toType: NSSQLiteStoreType, at: file)
    }
    #expect(error?.localizedDescription.contains(file.path) == true)
    #expect(try Data(contentsOf: file) == Data("here".utf8))
  }
}
