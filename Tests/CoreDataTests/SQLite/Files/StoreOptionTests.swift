import CoreData
import Foundation
import Testing

@Suite("Options of SQLite stores")
struct StoreOptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens the store, works in it, and closes it.
  private func use(_ options: [AnyHashable: Any]?, _ work: (NSManagedObjectContext) throws -> Void = { _ in })
    throws
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try work(context)
    try coordinator.remove(store)
  }

  private func count(_ sql: String) throws -> Int {
    let counts: [Int] = try folder.query(sql)
    return try #require(counts.first)
  }

  @Test("an option makes a store update SQLite's statistics")
  func analyze() throws {
    try use(nil) { context in
      for number in 0..<10 { context.note("\(number)").category = Category(context: context) }
      try context.save()
    }
    #expect(try count("SELECT COUNT(*) FROM sqlite_master WHERE name = 'sqlite_stat1'") == 0)
    try use([NSSQLiteAnalyzeOption: true])
    #expect(try count("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'ZNOTE'") > 0)
  }

  @Test("an option vacuums the file, which frees the space of deleted rows")
  func vacuum() throws {
    try use(nil) { context in
      for number in 0..<200 { context.note(String(repeating: "\(number)", count: 1000)) }
      try context.save()
      try context.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest()))
    }
    let before = try count("PRAGMA page_count")
    try use([NSSQLiteManualVacuumOption: true])
    let after = try count("PRAGMA page_count")
    #expect(after < before)
    #expect(try count("PRAGMA freelist_count") == 0)
  }

  @Test("an option sets how many connections read at the same time")
  func readers() throws {
    try use([NSPersistentStoreConnectionPoolMaxSizeKey: 1]) { context in
      context.note("one")
      try context.save()
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        #expect((try? other.count(for: NSFetchRequest<Note>(entityName: "Note"))) == 1)
      }
    }
  }
}
