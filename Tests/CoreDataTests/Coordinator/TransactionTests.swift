import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Transactions of many saves")
struct TransactionTests {
  private struct Stop: Error {}

  private func titles(_ stack: Stack) throws -> [String] {
    let context = stack.newContext()
    return try context.performAndWait {
      try stack.fetch(Note.self, sort: [.byTitle], in: context).compactMap(\.title)
    }
  }

  @Test("a transaction is atomic, and reads its own writes", arguments: StoreKind.sharedByPrograms)
  func kept(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let count = try stack.coordinator.performTransaction { context in
      for title in ["one", "two", "three"] {
        let note = Note(context: context)
        note.title = title
        try context.save()
        context.reset()
      }
      #expect(try titles(stack).isEmpty)
      return try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
    #expect(count == 3)
    #expect(try titles(stack) == ["one", "three", "two"])
  }

  @Test("a transaction is rolled back when its work throws", arguments: StoreKind.sharedByPrograms)
  func takenBack(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("before")
    try stack.save()
    #expect(throws: Stop.self) {
      try stack.coordinator.performTransaction { context in
        let note = try #require(try stack.fetch(Note.self, in: context).first)
        note.title = "after"
        note.setValue(Data(repeating: 7, count: 200_000), forKey: "body")
        try context.save()
        throw Stop()
      }
    }
    #expect(try titles(stack) == ["before"])
    stack.note("later")
    try stack.save()
    #expect(try titles(stack) == ["before", "later"])
    let folder = stack.folder.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] == [])
  }

  @Test(
    "a transaction discards unsaved changes, and a failed save rolls back only itself",
    arguments: StoreKind.sharedByPrograms
  )
  func parts(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try stack.coordinator.performTransaction { context in
      let first = Note(context: context)
      first.title = "first"
      try context.save()
      let invalid = Note(context: context)
      #expect(throws: (any Error).self) { try context.save() }
      context.delete(invalid)
      let unsaved = Note(context: context)
      unsaved.title = "unsaved"
    }
    #expect(try titles(stack) == ["first"])
  }

  @Test("a transaction can relate objects of several saves", arguments: StoreKind.sharedByPrograms)
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try stack.coordinator.performTransaction { context in
      let tag = Tag(context: context)
      tag.name = "tag"
      try context.save()
      let key = try #require(tag.objectID.primaryKey)
      context.reset()
      let store = try #require(stack.coordinator.persistentStores.first)
      let objectID = try #require(store.objectID(of: Tag.entity(), primaryKey: key))
      for title in ["one", "two"] {
        let note = Note(context: context)
        note.title = title
        note.tags = [try #require(context.object(with: objectID) as? Tag)]
        try context.save()
        context.reset()
      }
    }
    let tag = try #require(try stack.fetch(Tag.self).first)
    #expect(Set(tag.notes.compactMap(\.title)) == ["one", "two"])
  }

  @Test("a committed transaction is announced to others, save by save", arguments: StoreKind.sharedByPrograms)
  func announced(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    stack.context.automaticallyMergesChangesFromParent = true
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    let saved = try stack.coordinator.performTransaction { context in
      let saved = Posted(.NSManagedObjectContextDidSave, by: context)
      for title in ["one", "two"] {
        let note = Note(context: context)
        note.title = title
        try context.save()
      }
      #expect(saved.count == 0)
      return saved
    }
    #expect(saved.all.map { $0.objects(NSInsertedObjectsKey, as: NSManagedObject.self).count } == [1, 1])
    try await merged.wait(for: 2)
    #expect(merged.count == 2)
  }

  @Test("a rolled back transaction is not announced", arguments: StoreKind.sharedByPrograms)
  func unannounced(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    stack.context.automaticallyMergesChangesFromParent = true
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    _ = try? stack.coordinator.performTransaction { context in
      let note = Note(context: context)
      note.title = "one"
      try context.save()
      throw Stop()
    }
    await stack.context.perform {}
    #expect(merged.count == 0)
  }

  @Test(
    "a transaction includes metadata, and sees what others have written before",
    arguments: StoreKind.sharedByPrograms
  )
  func metadata(_ kind: StoreKind) throws {
    let tracked = try TrackedStore(kind)
    let (one, other) = (try tracked.coordinator(), try tracked.coordinator())
    func metadata(_ coordinator: NSPersistentStoreCoordinator) throws -> [String: Any] {
      coordinator.metadata(for: try #require(coordinator.persistentStores.first))
    }
    func set(_ value: String, _ key: String, _ coordinator: NSPersistentStoreCoordinator) throws {
      let store = try #require(coordinator.persistentStores.first)
      var metadata = coordinator.metadata(for: store)
      metadata[key] = value
      coordinator.setMetadata(metadata, for: store)
    }
    try one.performTransaction { _ in try set("1", "one", one) }
    #expect(try metadata(other)["one"] == nil)
    try other.performTransaction { _ in
      #expect(try metadata(other)["one"] as? String == "1")
      try set("2", "two", other)
    }
    let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.storeType,
      at: tracked.place
    )
    #expect(stored["one"] as? String == "1")
    #expect(stored["two"] as? String == "2")
  }

  @Test(
    "a transaction writes one history transaction for each save, and none when it is rolled back",
    arguments: StoreKind.sharedByPrograms
  )
  func history(_ kind: StoreKind) throws {
    let tracked = try TrackedStore(kind)
    let coordinator = try tracked.coordinator()
    for isKept in [true, false] {
      _ = try? coordinator.performTransaction { context in
        context.transactionAuthor = "seeding"
        for title in ["one", "two"] {
          context.note(title)
          try context.save()
        }
        if !isKept { throw Stop() }
      }
    }
    let context = try tracked.context()
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
    #expect(transactions.map(\.author) == ["seeding", "seeding"])
    #expect(transactions.map { $0.changes?.count } == [1, 1])
  }

  /// Schedules a save without waiting for it.
  private func saveLater(_ title: String, _ context: NSManagedObjectContext) {
    context.perform {
      let note = Note(context: context)
      note.title = title
      #expect(throws: Never.self) { try context.save() }
    }
  }

  @Test("a transaction lets others read, and makes writers wait", arguments: StoreKind.sharedByPrograms)
  func others(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let other = stack.newContext()
    let (begun, ended) = (Signal(), SuspendedWait<Void>())
    let mayEnd = DispatchSemaphore(value: 0)
    let coordinator = stack.coordinator
    Thread {
      let result = Result {
        try coordinator.performTransaction { context in
          let note = Note(context: context)
          note.title = "transaction"
          try context.save()
          begun.send()
          mayEnd.wait()
        }
      }
      ended.resume(with: result)
    }
    .start()
    await begun.wait()
    #expect(try titles(stack).isEmpty)
    saveLater("other", other)
    mayEnd.signal()
    try await ended.untilResumed()
    await other.perform {}
    #expect(try titles(stack) == ["other", "transaction"])
  }

  @Test("a transaction refuses to wait for itself, and to be pinned", arguments: StoreKind.sharedByPrograms)
  func misuse(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("waiting")
    let error = #expect(throws: NSError.self) {
      try stack.coordinator.performTransaction { _ in try stack.save() }
    }
    #expect(
      error?.localizedFailureReason?.contains("save in the transaction's context") == true
        || "\(String(describing: error))".contains("save in the transaction's context")
    )
    #expect(throws: (any Error).self) {
      try stack.coordinator.performTransaction { try $0.setQueryGenerationFrom(.current) }
    }
    #expect(try titles(stack).isEmpty)
  }

  @Test(
    "a batch handler reads what the transaction has written, and may not save there",
    arguments: StoreKind.sharedByPrograms
  )
  func handlers(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    var titles: [String?] = []
    try stack.coordinator.performTransaction { context in
      let note = Note(context: context)
      note.title = "kept"
      try context.save()
      let request = NSBatchInsertRequest(entityName: "Tag") { (dictionary: NSMutableDictionary) in
        if titles.count == 3 { return true }
        dictionary["name"] = "\(titles.count)"
        context.reset()
        titles.append(try? stack.fetch(Note.self, in: context).first?.title)
        if titles.count == 2 {
          let note = Note(context: context)
          note.title = "refused"
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(error?.localizedDescription.contains("not in its handler") == true)
          context.delete(note)
        }
        return false
      }
      try context.execute(request)
    }
    #expect(titles == ["kept", "kept", "kept"])
    #expect(Set(try stack.fetch(Tag.self).compactMap(\.name)) == ["0", "1", "2"])
    #expect(try self.titles(stack) == ["kept"])
  }

  @Test("a transaction that a closing store refuses gets an error that names the store")
  func closing() throws {
    let stack = try Stack(.sqlite)
    try #require(stack.coordinator.openStores[0] as? SQLiteStore).refuseWrites()
    let error = #expect(throws: NSError.self) { try stack.coordinator.performTransaction { _ in } }
    #expect(error?.code == NSPersistentStoreOperationError)
    let url = try #require(stack.coordinator.persistentStores[0].url)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
  }

  @Test(
    "transactions require a coordinator with one writable SQLite store",
    arguments: [StoreKind.inMemory, .xml]
  )
  func unavailable(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    #expect(!stack.coordinator.canPerformTransactions)
    let error = #expect(throws: NSError.self) { try stack.coordinator.performTransaction { _ in } }
    #expect(error?.code == NSPersistentStoreOperationError)
    let other = try Stack(.sqlite)
    #expect(other.coordinator.canPerformTransactions)
  }
}
