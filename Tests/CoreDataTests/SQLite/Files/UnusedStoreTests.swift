import Files
import Foundation
import Testing

@testable import CoreData

@Suite("An unused SQLite store")
struct UnusedStoreTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file()
  }

  private func open() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }

  @Test("an unused store is removed with all its files, empty or with only its tables")
  func removed() throws {
    try Data().write(to: file)
    #expect(try SQLiteStore.removeIfUnused(at: file, options: nil))
    #expect(try names == [])
    try close(try open())
    #expect(try SQLiteStore.removeIfUnused(at: file, options: nil))
    #expect(try names == [])
  }

  @Test("an unused store stays if another program has saved objects, even deleted ones, or metadata")
  func used() throws {
    let context = try open()
    let note = context.note("theirs")
    try context.save()
    #expect(try !SQLiteStore.removeIfUnused(at: file, options: nil))
    context.delete(note)
    try context.save()
    #expect(try !SQLiteStore.removeIfUnused(at: file, options: nil))
    try close(context)
    try FileManager.default.removeItem(at: file)
    let other = try open()
    let store = try #require(other.persistentStoreCoordinator?.persistentStores.first)
    store.metadata["key"] = "value"
    try other.save()
    #expect(try !SQLiteStore.removeIfUnused(at: file, options: nil))
    #expect(FileKind(at: file.path) == .regular)
  }

  @Test("a program that opened a removed unused store gets an error, and saves nothing")
  func openElsewhere() throws {
    let context = try open()
    #expect(try SQLiteStore.removeIfUnused(at: file, options: nil))
    context.note("lost otherwise")
    let error = try #require(#expect(throws: NSError.self) { try context.save() })
    #expect(error.localizedDescription.contains(file.path))
    #expect(context.insertedObjects.count == 1)
  }

  @Test("a file of another program is not an unused store, be it a database or not")
  func others() throws {
    try folder.execute("CREATE TABLE own (name TEXT)")
    #expect(try !SQLiteStore.removeIfUnused(at: file, options: nil))
    try FileManager.default.removeItem(at: file)
    try Data("a letter, and no database at all".utf8).write(to: file)
    #expect(throws: NSError.self) { try SQLiteStore.removeIfUnused(at: file, options: nil) }
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("a letter"))
  }
}
