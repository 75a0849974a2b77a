import CoreData
import Foundation
import Testing

@Suite("Notifications of a context's changes")
struct EventTests {
  private func posted(_ stack: Stack) -> Posted {
    Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
  }

  @Test("processing changes posts one notification of all changes", arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (old, gone) = (stack.note("old"), stack.note("gone"))
    try stack.save()
    let posted = posted(stack)
    let new = stack.note("new")
    old.title = "a"
    old.title = "b"
    stack.context.delete(gone)
    stack.context.processPendingChanges()
    #expect(posted.count == 1)
    let notification = try #require(posted.last)
    #expect(notification.objects(NSInsertedObjectsKey) == [new as NSManagedObject])
    #expect(notification.objects(NSUpdatedObjectsKey) == [old as NSManagedObject])
    #expect(notification.objects(NSDeletedObjectsKey) == [gone as NSManagedObject])
  }

  @Test("a context without changes posts no notification", arguments: StoreKind.allCases)
  func nothing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let posted = posted(stack)
    stack.context.processPendingChanges()
    try stack.context.save()
    #expect(posted.count == 0)
  }

  @Test("a save does not report changes again that were reported", arguments: StoreKind.allCases)
  func notAgain(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let posted = posted(stack)
    stack.note("one")
    stack.context.processPendingChanges()
    #expect(posted.count == 1)
    try stack.context.save()
    #expect(posted.count == 1)
  }

  @Test(
    "a save reports all that it saved, even if earlier notifications contained all or some of it",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func setsOfSave(_ kind: StoreKind, _ isOneEvent: Bool) throws {
    let stack = try Stack(kind)
    let (old, gone, untouched) = (stack.note("old"), stack.note("gone"), stack.note("untouched"))
    try stack.save()
    let saved = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    let (new, short) = (stack.note("new"), stack.note("short"))
    if !isOneEvent { stack.context.processPendingChanges() }
    old.title = "a"
    stack.context.delete(gone)
    stack.context.processPendingChanges()
    // These changes come after the last event, so no notification has reported them when the save begins.
    if !isOneEvent {
      stack.context.delete(short)
      untouched.title = "b"
    }
    try stack.context.save()
    let notification = try #require(saved.last)
    let inserted: Set<NSManagedObject> = isOneEvent ? [new, short] : [new]
    let updated: Set<NSManagedObject> = isOneEvent ? [old] : [old, untouched]
    #expect(notification.objects(NSInsertedObjectsKey) == inserted)
    #expect(notification.objects(NSUpdatedObjectsKey) == updated)
    #expect(notification.objects(NSDeletedObjectsKey).contains(gone as NSManagedObject))
  }

  @Test("a save reports changes that were not processed before", arguments: StoreKind.allCases)
  func bySave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let posted = posted(stack)
    stack.note("one")
    #expect(posted.count == 0)
    try stack.context.save()
    #expect(posted.count == 1)
  }

  @Test("a fetch reports changes that were not processed before", arguments: StoreKind.allCases)
  func byFetch(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let posted = posted(stack)
    let note = stack.note("one")
    #expect(try stack.fetch(Note.self) == [note])
    #expect(posted.count == 1)
  }

  @Test(
    "objects that a delete rule changes are reported together with the deleted object",
    arguments: StoreKind.allCases
  )
  func deleteRules(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let (note, tag) = (stack.note("one", category), stack.tag("t"))
    note.tags = [tag]
    try stack.save()
    let posted = posted(stack)
    stack.context.delete(category)
    stack.context.processPendingChanges()
    let notification = try #require(posted.last)
    #expect(notification.objects(NSDeletedObjectsKey) == [category as NSManagedObject, note])
    #expect(notification.objects(NSUpdatedObjectsKey) == [tag as NSManagedObject])
  }

  @Test("both sides of a relationship are reported as updated", arguments: StoreKind.allCases)
  func bothSides(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, category) = (stack.note("one"), stack.category("c"))
    try stack.save()
    let posted = posted(stack)
    note.category = category
    stack.context.processPendingChanges()
    #expect(try #require(posted.last).objects(NSUpdatedObjectsKey) == [note as NSManagedObject, category])
  }

  @Test("a rollback reports the changes that it undoes", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = "two"
    stack.context.processPendingChanges()
    let posted = posted(stack)
    stack.context.rollback()
    #expect(note.title == "one")
    let userInfo = try #require(posted.last?.userInfo)
    let told = [NSUpdatedObjectsKey, NSRefreshedObjectsKey].flatMap {
      userInfo[$0] as? Set<NSManagedObject> ?? []
    }
    #expect(told.contains(note))
  }

  @Test("a change by an observer is reported separately", arguments: StoreKind.allCases)
  func changeInObserver(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let counter = Counter(note)
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: stack.context,
      queue: nil
    ) { _ in
      counter.events += 1
      if counter.note.rating < 10 { counter.note.rating = 10 }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    note.title = "two"
    stack.context.processPendingChanges()
    stack.context.processPendingChanges()
    #expect(counter.events == 2 && note.rating == 10)
  }

  @Test(
    "a change that an observer of the announced save makes is saved with it",
    arguments: StoreKind.allCases
  )
  func changeBeforeSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let counter = Counter(stack.note("one"))
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave,
      object: stack.context,
      queue: nil
    ) { _ in counter.note.rating = 77 }
    defer { NotificationCenter.default.removeObserver(token) }
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.rating == 77)
  }

  @Test("a failed save posts no notification of a save", arguments: StoreKind.allCases)
  func failedSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let saved = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    let announced = Posted(.NSManagedObjectContextWillSave, by: stack.context)
    _ = Note(context: stack.context)
    #expect(throws: NSError.self) { try stack.context.save() }
    #expect(saved.count == 0 && announced.count == 1)
  }

  @Test(
    "a child's save notifies observers of the parent of changes, not of a save",
    arguments: [
      StoreKind.childOfInMemory, .childOfSQLite,
    ]
  )
  func childSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let parent = try #require(stack.context.parent)
    let saved = Posted(.NSManagedObjectContextDidSave, by: parent)
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: parent)
    stack.note("one")
    try stack.context.save()
    #expect(saved.count == 0 && changed.count == 1)
    #expect(try #require(changed.last).objects(NSInsertedObjectsKey, as: NSManagedObject.self).count == 1)
  }

  @Test("objects that are only read are not reported", arguments: StoreKind.allCases)
  func reading(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one", stack.category("c"))
    try stack.save()
    stack.context.reset()
    let posted = posted(stack)
    let note = try #require(try stack.fetch(Note.self).first)
    #expect(note.category?.name == "c")
    stack.context.processPendingChanges()
    #expect(posted.count == 0)
  }

  private final class Counter: @unchecked Sendable {
    let note: Note
    var events = 0

    init(_ note: Note) { self.note = note }
  }
}
