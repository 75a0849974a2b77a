import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The history of a store")
struct HistoryTrackingTests {
  @Test(
    "the history has a transaction for each save, with author, context, process and time",
    arguments: StoreKind.sharedByPrograms
  )
  func transactions(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context("view", author: "me")
    let start = Date()
    context.note("one")
    try context.save()
    context.transactionAuthor = nil
    context.name = nil
    context.note("two")
    try context.save()
    try context.save()
    let transactions = try context.transactions()
    #expect(transactions.map(\.transactionNumber) == [1, 2])
    #expect(transactions.map(\.author) == ["me", nil])
    #expect(transactions.map(\.contextName) == ["view", nil])
    #expect(transactions.allSatisfy { $0.processID == ProcessInfo.processInfo.processName })
    #expect(transactions.allSatisfy { !$0.bundleID.isEmpty })
    #expect(
      transactions.allSatisfy {
        $0.storeID == context.persistentStoreCoordinator?.persistentStores[0].identifier
      }
    )
    #expect(transactions.allSatisfy { $0.timestamp >= start && $0.timestamp <= Date() })
  }

  @Test(
    "the history names the context that writes, also for batch requests of its children",
    arguments: StoreKind.sharedByPrograms
  )
  func batchesOfChildren(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let root = try store.context("root", author: "its author")
    let middle = NSManagedObjectContext(.privateQueue)
    middle.parent = root
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = middle
    for context in [middle, child] {
      (context.name, context.transactionAuthor) = ("child", "a child's author")
    }
    try child.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "one"]]))
    let update = NSBatchUpdateRequest(entityName: "Tag")
    update.propertiesToUpdate = ["name": "two"]
    try child.execute(update)
    try child.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Tag>(entityName: "Tag")))
    let transactions = try root.transactions()
    #expect(transactions.map(\.author) == ["its author", "its author", "its author"])
    #expect(transactions.map(\.contextName) == ["root", "root", "root"])
  }

  @Test(
    "the history has the insertions, updates and deletions, with the changed properties",
    arguments: StoreKind.sharedByPrograms
  )
  func changes(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (note, doomed) = (context.note("one"), context.note("doomed"))
    let category = Category(context: context)
    try context.save()
    let inserted = try context.changes()
    #expect(Set(inserted.map(\.changedObjectID)) == [note.objectID, doomed.objectID, category.objectID])
    for change in inserted {
      #expect(change.changeType == .insert)
      #expect(change.updatedProperties == nil && change.tombstone == nil)
    }
    let token = try #require(context.historyToken)

    note.rating = 5
    note.createdAt = Date()
    note.category = category
    context.delete(doomed)
    try context.save()
    let changes = try context.changes(.fetchHistory(after: token))
    let byID = Dictionary(uniqueKeysWithValues: changes.map { ($0.changedObjectID, $0) })
    #expect(changes.count == 3)
    #expect(byID[note.objectID]?.changeType == .update)
    #expect(
      byID[note.objectID]?.updatedProperties?.map(\.name).sorted() == ["category", "createdAt", "rating"]
    )
    #expect(byID[category.objectID]?.updatedProperties?.map(\.name) == ["notes"])
    let deletion = try #require(changes.first { $0.changeType == .delete })
    #expect(deletion.tombstone?["title"] as? String == "doomed")
    #expect(deletion.tombstone?.keys.contains("rating") == false)
    #expect(deletion.transaction?.author == "author")
    #expect(Set(changes.map(\.changeID)).count == 3)
  }

  @Test(
    "the history keeps the preserved values of deleted objects, of every type",
    arguments: StoreKind.sharedByPrograms
  )
  func tombstones(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let note = context.note("one")
    let identifier = UUID()
    note.setValue(identifier, forKey: "identifier")
    try context.save()
    let request = NSBatchDeleteRequest(objectIDs: [note.objectID])
    context.transactionAuthor = "batch"
    try context.execute(request)
    let deletion = try #require(try context.changes().last)
    #expect(deletion.changeType == .delete)
    #expect(deletion.changedObjectID == note.objectID)
    #expect(deletion.tombstone?["identifier"] as? UUID == identifier)
    #expect(deletion.tombstone?["title"] as? String == "one")
    #expect(deletion.transaction?.author == "batch")
  }

  @Test(
    "the history has a transaction for each batch request, with the inserted or changed objects",
    arguments: StoreKind.sharedByPrograms
  )
  func batches(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context("batch", author: "import")
    let insertion = NSBatchInsertRequest(
      entityName: "Note",
      objects: [["title": "one"], ["title": "two"], ["title": "three"]]
    )
    try context.execute(insertion)
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.predicate = NSPredicate(format: "title BEGINSWITH 't'")
    update.propertiesToUpdate = ["rating": 9]
    try context.execute(update)
    update.predicate = NSPredicate(format: "title = 'nothing'")
    try context.execute(update)
    let people = NSBatchUpdateRequest(entityName: "Person")
    _ = Employee(context: context)
    try context.save()
    people.propertiesToUpdate = ["name": "renamed"]
    let result = try context.execute(people) as? NSBatchUpdateResult
    #expect(result?.result as? Bool == true)
    let transactions = try context.transactions()
    #expect(
      transactions.map { $0.changes?.map(\.changeType) } == [
        [.insert, .insert, .insert], [.update, .update], [.insert], [.update],
      ]
    )
    #expect(transactions.allSatisfy { $0.author == "import" && $0.contextName == "batch" })
    let changes = transactions[1].changes ?? []
    #expect(changes.allSatisfy { $0.updatedProperties?.map(\.name) == ["rating"] })
    let titles = try changes.map { try context.existingObject(with: $0.changedObjectID) as? Note }.map {
      $0?.title
    }
    #expect(Set(titles) == ["two", "three"])
    let renamed = try #require(transactions[3].changes?.first)
    #expect(renamed.changedObjectID.entity.name == "Employee")
    #expect(renamed.updatedProperties?.map(\.name) == ["name"])
  }

  @Test(
    "the history has relationships to entities with subentities, and both sides of many-to-many ones",
    arguments: StoreKind.sharedByPrograms
  )
  func relationships(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (boss, employee) = (Employee(context: context), Employee(context: context))
    let (note, tag) = (context.note("one"), Tag(context: context))
    try context.save()
    let token = context.historyToken
    employee.manager = boss
    note.tags = [tag]
    try context.save()
    let changes = try context.changes(.fetchHistory(after: token))
    let names = Dictionary(
      uniqueKeysWithValues: changes.map { ($0.changedObjectID, $0.updatedProperties?.map(\.name) ?? []) }
    )
    #expect(names[employee.objectID] == ["manager"])
    #expect(names[note.objectID] == ["tags"])
    #expect(names[tag.objectID] == ["notes"])
    #expect(names.count == 3)
  }

  @Test("the history is written atomically with the changes", arguments: StoreKind.sharedByPrograms)
  func failingSave(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let (one, other) = (try store.context("one"), try store.context("other"))
    let note = one.note("one")
    try one.save()
    let theirs = try #require(try other.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    theirs.title = "theirs"
    try other.save()
    note.title = "mine"
    one.note("two")
    #expect(throws: NSError.self) { try one.save() }
    #expect(try one.transactions().count == 2)
    one.mergePolicy = NSMergePolicy.overwrite
    try one.save()
    #expect(try one.transactions().map(\.contextName) == ["one", "other", "one"])
    #expect(try one.transactions().last?.changes?.count == 2)
  }

  @Test("a save's notification has a token of the history", arguments: StoreKind.sharedByPrograms)
  func newChangeToken(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let saved = Posted(.NSManagedObjectContextDidSave, by: context)
    context.note("one")
    try context.save()
    let token = try #require(saved.last?.userInfo?["newChangeToken"] as? NSPersistentHistoryToken)
    #expect(token == context.historyToken)
    #expect(try token == context.transactions().last?.token)
    try context.save()
    #expect(saved.last?.userInfo?["newChangeToken"] == nil)
  }

  @Test(
    "the tables of the history have the exact text of those in Apple-made stores",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func tables() throws {
    let store = try TrackedStore(model: TestModel.shared)
    _ = try store.coordinator()
    let apple = SharedFolder.url(
      "fixtures/coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"
    )
    let copy = store.folder.file("apple.sqlite")
    try FileManager.default.copyItem(at: apple, to: copy)
    let query = """
      SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') ORDER BY rowid
      """
    let own: [String] = try store.folder.query(query)
    #expect(own.count == 11)
    #expect(try own == store.folder.query(query, at: copy))
    let rows = "SELECT Z_ENT || Z_NAME || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT"
    let keys: [String] = try store.folder.query(rows)
    #expect(try keys == store.folder.query(rows, at: copy))
  }

  @Test("the history has rows like those of Apple-made stores")
  func rows() throws {
    let store = try TrackedStore()
    let context = try store.context("view", author: "me")
    let note = context.note("one")
    try context.save()
    note.rating = 9
    try context.save()
    let folder = store.folder
    #expect(try folder.query("SELECT DISTINCT Z_ENT FROM ACHANGE") == [16001])
    #expect(try folder.query("SELECT COUNT(*) FROM ACHANGE WHERE Z_OPT NOT NULL") == [0])
    #expect(
      try folder.query("SELECT COUNT(*) FROM ATRANSACTION WHERE ZAUTHOR NOT NULL OR ZPROCESSID NOT NULL") == [
        0
      ]
    )
    #expect(
      try folder.query(
        "SELECT ZNAME FROM ATRANSACTION JOIN ATRANSACTIONSTRING s ON s.Z_PK = ZAUTHORTS WHERE ATRANSACTION.Z_PK = 2"
      ) == ["me"]
    )
    #expect(try folder.query("SELECT ZNAME FROM ATRANSACTIONSTRING").count(of: "me") == 1)
    #expect(
      try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT") == [2, 2, 3]
    )
    // Note has one to-one relationship, twelve attributes (rating is the eighth) and two to-many relationships.
    #expect(try folder.query("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1") == ["0080"])
  }

  @Test(
    "a store with a history is read-only without the option, until the history is deleted",
    arguments: StoreKind.sharedByPrograms
  )
  func withoutOption(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    context.note("one")
    try context.save()
    let coordinator = try store.coordinator(nil)
    #expect(coordinator.persistentStores[0].isReadOnly)
    let reader = NSManagedObjectContext(.privateQueue)
    reader.persistentStoreCoordinator = coordinator
    #expect(try reader.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title) == ["one"])
    #expect(try reader.transactions().count == 1)
    reader.note("two")
    let error = #expect(throws: NSError.self) { try reader.save() }
    #expect(error?.localizedDescription.contains("NSPersistentHistoryTrackingKey") == true)

    try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
    let writable = try store.coordinator([NSPersistentHistoryTrackingKey: NSNumber(value: false)])
    #expect(!writable.persistentStores[0].isReadOnly)
    let writer = NSManagedObjectContext(.privateQueue)
    writer.persistentStoreCoordinator = writable
    writer.note("three")
    try writer.save()
    #expect(try context.transactions().isEmpty)
  }

  @Test("opening an existing store with the option starts the history", arguments: StoreKind.sharedByPrograms)
  func begunLater(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let coordinator = try store.coordinator(nil)
    let before = NSManagedObjectContext(.privateQueue)
    before.persistentStoreCoordinator = coordinator
    before.note("one")
    try before.save()
    #expect(before.historyToken == nil)
    #expect(throws: NSError.self) { try before.transactions() }
    try coordinator.remove(coordinator.persistentStores[0])
    let context = try store.context()
    #expect(try context.transactions().isEmpty)
    context.note("two")
    try context.save()
    #expect(try context.changes().count == 1)
  }
}

extension [String] {
  fileprivate func count(of element: String) -> Int { count { $0 == element } }
}
