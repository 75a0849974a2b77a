import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Saving: notifications, conflicts, several contexts")
struct SavingTests {
  @Test("a save posts notifications before and after, with its objects", arguments: StoreKind.allCases)
  func notifications(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (old, gone) = (stack.note("old"), stack.note("gone"))
    try stack.save()
    let log = Mutex<[String]>([])
    let names: [Notification.Name] = [
      .NSManagedObjectContextWillSave, .NSManagedObjectContextObjectsDidChange,
      .NSManagedObjectContextDidSave,
    ]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: stack.context, queue: nil) {
        notification in
        let counts = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
          (notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0
        }
        log.withLock {
          $0.append(
            "\(name.rawValue.contains("Will") ? "will" : name.rawValue.contains("Did") ? "did" : "change") \(counts)"
          )
        }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    old.rating = 8
    stack.context.delete(gone)
    stack.note("new")
    try stack.context.save()
    #expect(log.withLock { $0 } == ["change [1, 1, 1]", "will [0, 0, 0]", "did [1, 1, 1]"])
  }

  @Test("a save without changes is announced, and names nothing", arguments: StoreKind.allCases)
  func nothingToSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let saved = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    try stack.context.save()
    #expect(saved.count == 1)
    #expect(try #require(saved.last).userInfo?.isEmpty ?? true)
  }

  @Test("an object ID leads to the same record in another context", arguments: StoreKind.allCases)
  func acrossContexts(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let first = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    let second = stack.newContext()
    let found = try #require(try second.existingObject(with: first.objectID) as? Note)
    #expect(found !== first)
    #expect(found.title == "one")
    #expect(second.object(with: first.objectID) === found)
    #expect(second.registeredObject(for: first.objectID) === found)
    #expect(stack.newContext().registeredObject(for: first.objectID) == nil)
  }

  @Test("a change on top of another's is a conflict", arguments: [StoreKind.inMemory, .sqlite])
  func conflict(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let other = stack.newContext()
    let same = try #require(try other.existingObject(with: note.objectID) as? Note)
    same.title = "theirs"
    try other.save()
    note.rating = 9
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectMergeError)
    let conflict = try #require(
      (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first
    )
    #expect(conflict.sourceObject === note)
    #expect(conflict.persistedSnapshot?["title"] as? String == "theirs")
    #expect((conflict.oldVersionNumber, conflict.newVersionNumber) == (1, 2))
    #expect(note.rating == 9)
  }

  @Test("a merge policy settles the conflict its way", arguments: [StoreKind.inMemory, .sqlite])
  func mergePolicies(_ kind: StoreKind) throws {
    let expected: [(NSMergePolicy, String, Int64)] = [
      (.mergeByPropertyStoreTrump, "theirs", 9), (.mergeByPropertyObjectTrump, "ours", 9),
      (.overwrite, "ours", 9), (.rollback, "theirs", 3),
    ]
    for (policy, title, rating) in expected {
      let stack = try Stack(kind)
      let note = stack.note("one")
      try stack.save()
      let other = stack.newContext()
      (try other.existingObject(with: note.objectID) as? Note)?.title = "theirs"
      try other.save()
      note.title = "ours"
      note.rating = 9
      stack.context.mergePolicy = policy
      try stack.save()
      let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
      #expect(saved.title == title, "\(policy.mergeType)")
      #expect(saved.rating == rating, "\(policy.mergeType)")
      #expect(note.title == title, "\(policy.mergeType)")
    }
  }

  @Test("a refresh loads the changes that others saved", arguments: [StoreKind.inMemory, .sqlite])
  func refresh(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let other = stack.newContext()
    (try other.existingObject(with: note.objectID) as? Note)?.title = "theirs"
    try other.save()
    #expect(note.title == "one")
    note.rating = 9
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.title == "theirs")
    #expect(note.rating == 9)
    try stack.save()
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.isFault)
    #expect(note.title == "theirs")
  }

  @Test("permanent IDs are available before the save", arguments: StoreKind.allCases)
  func permanentIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"))
    try stack.context.obtainPermanentIDs(for: [note])
    let objectID = note.objectID
    #expect(!objectID.isTemporaryID)
    try stack.save()
    #expect(note.objectID == objectID)
    #expect((try stack.newContext().existingObject(with: objectID) as? Note)?.category?.name == "c")
  }

  @Test(
    "a batch deletion empties the store and leaves no trace in relationships",
    arguments: StoreKind.takingBatches
  )
  func batchDelete(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tag = stack.tag("t")
    stack.note("a", rating: 1, tags: [tag])
    stack.note("b", rating: 2, tags: [tag])
    try stack.save()
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    fetch.predicate = NSPredicate(format: "rating == 1")
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeCount
    let result = try stack.context.execute(request) as? NSBatchDeleteResult
    #expect(result?.result as? Int == 1)
    let context = stack.newContext()
    #expect(try stack.fetch(Note.self, in: context).map(\.title) == ["b"])
    #expect(try stack.fetch(Tag.self, in: context).first?.notes.map(\.title) == ["b"])
    let all = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note"))
    try stack.context.execute(all)
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }
}
