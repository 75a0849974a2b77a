import CoreData
import Foundation
import Testing

@Suite("Conflicts with the saves of other contexts")
struct MergePolicyTests {
  static let stores = [StoreKind.inMemory, .sqlite]

  /// A note that both this context and another one have changed.
  private func conflict(_ kind: StoreKind, _ policy: NSMergePolicy? = nil) throws -> (Stack, Note) {
    let stack = try Stack(kind)
    if let policy { stack.context.mergePolicy = policy }
    let note = stack.note("one", rating: 1)
    try stack.save()
    try stack.changeElsewhere(note) { note in
      note.title = "theirs"
      note.createdAt = Date(timeIntervalSinceReferenceDate: 7)
    }
    note.title = "ours"
    note.rating = 2
    return (stack, note)
  }

  private func kept(_ stack: Stack) throws -> Note? {
    try stack.fetch(Note.self, in: stack.newContext()).first
  }

  @Test("a context takes a conflict for an error unless told otherwise")
  func unlessTold() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
    #expect(context.mergePolicy as AnyObject === NSErrorMergePolicy)
  }

  @Test("the policies have their types, and the old names mean the same objects")
  func names() {
    let policies: [(NSMergePolicy, AnyObject, NSMergePolicyType, UInt)] = [
      (.error, NSErrorMergePolicy, .errorMergePolicyType, 0),
      (
        .mergeByPropertyStoreTrump, NSMergeByPropertyStoreTrumpMergePolicy,
        .mergeByPropertyStoreTrumpMergePolicyType, 1
      ),
      (
        .mergeByPropertyObjectTrump, NSMergeByPropertyObjectTrumpMergePolicy,
        .mergeByPropertyObjectTrumpMergePolicyType, 2
      ),
      (.overwrite, NSOverwriteMergePolicy, .overwriteMergePolicyType, 3),
      (.rollback, NSRollbackMergePolicy, .rollbackMergePolicyType, 4),
    ]
    for (policy, old, type, number) in policies {
      #expect(policy === old)
      #expect(policy.mergeType == type && type.rawValue == number)
    }
  }

  @Test("the error policy keeps the changes, so that the save can be tried again", arguments: stores)
  func error(_ kind: StoreKind) throws {
    let (stack, note) = try conflict(kind)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(note.title == "ours" && note.isUpdated)
    #expect(try kept(stack)?.title == "theirs")
    stack.context.refresh(note, mergeChanges: true)
    try stack.save()
    #expect(try kept(stack)?.title == "ours")
  }

  @Test("a conflict has snapshots of attributes and of the IDs of to-one relationships", arguments: stores)
  func snapshots(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category, tags: [stack.tag("t")])
    try stack.save()
    try stack.changeElsewhere(note) { $0.title = "theirs" }
    note.title = "ours"
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    let conflict = try #require(conflicts?.first)
    #expect(conflicts?.count == 1)
    #expect(conflict.sourceObject === note)
    #expect(conflict.objectSnapshot?["title"] as? String == "one")
    #expect(conflict.persistedSnapshot?["title"] as? String == "theirs")
    #expect(conflict.persistedSnapshot?["category"] as? NSManagedObjectID == category.objectID)
    #expect(conflict.persistedSnapshot?["createdAt"] is NSNull)
    #expect(conflict.persistedSnapshot?["tags"] == nil && conflict.persistedSnapshot?["draft"] == nil)
    #expect((conflict.oldVersionNumber, conflict.newVersionNumber) == (1, 2))
  }

  @Test("store trump keeps their value where both changed it, and ours otherwise", arguments: stores)
  func storeTrump(_ kind: StoreKind) throws {
    let (stack, note) = try conflict(kind, .mergeByPropertyStoreTrump)
    try stack.save()
    let kept = try #require(try kept(stack))
    #expect(kept.title == "theirs" && kept.rating == 2 && kept.createdAt != nil)
    #expect(note.title == "theirs" && note.rating == 2)
  }

  @Test("object trump keeps our value where both changed it, and theirs otherwise", arguments: stores)
  func objectTrump(_ kind: StoreKind) throws {
    let (stack, note) = try conflict(kind, .mergeByPropertyObjectTrump)
    try stack.save()
    let kept = try #require(try kept(stack))
    #expect(kept.title == "ours" && kept.rating == 2 && kept.createdAt != nil)
    #expect(note.createdAt == Date(timeIntervalSinceReferenceDate: 7))
  }

  @Test("overwrite: all ours", arguments: stores)
  func overwrite(_ kind: StoreKind) throws {
    let (stack, _) = try conflict(kind, .overwrite)
    try stack.save()
    let kept = try #require(try kept(stack))
    #expect(kept.title == "ours" && kept.rating == 2 && kept.createdAt == nil)
  }

  @Test("rollback: all theirs, and the object has no changes left", arguments: stores)
  func rollback(_ kind: StoreKind) throws {
    let (stack, note) = try conflict(kind, .rollback)
    try stack.save()
    let kept = try #require(try kept(stack))
    #expect(kept.title == "theirs" && kept.rating == 1 && kept.createdAt != nil)
    #expect(note.title == "theirs" && note.rating == 1 && !note.hasChanges)
  }

  @Test("objects without a conflict are saved whatever the policy does with the others", arguments: stores)
  func others(_ kind: StoreKind) throws {
    let (stack, _) = try conflict(kind, .rollback)
    stack.note("new")
    try stack.save()
    #expect(try stack.fetch(Note.self, "title == 'new'", in: stack.newContext()).count == 1)
  }

  @Test(
    "a deletion on both sides is not a conflict to a policy by which the context wins",
    arguments: [StoreKind.inMemory, .sqlite, .childOfInMemory, .childOfSQLite, .xml, .binary, .atomic],
    [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump, .rollback]
  )
  func deletedByBoth(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let stack = try Stack(kind)
    let top = stack.context.parent ?? stack.context
    top.mergePolicy = policy
    let note = stack.note("one", tags: [stack.tag("t")])
    stack.note("other")
    try stack.save()
    let elsewhere = stack.newContext()
    elsewhere.delete(try elsewhere.existingObject(with: note.objectID))
    try elsewhere.save()
    stack.context.delete(note)
    stack.note("new")
    try stack.save()
    #expect(!stack.context.hasChanges && !top.hasChanges)
    let kept = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(kept.map(\.title) == ["new", "other"])
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.notes.count) == [0])
  }

  @Test("a repeated deletion is not in the history", arguments: StoreKind.sharedByPrograms)
  func deletedByBothInHistory(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let (one, other) = (try store.context("one"), try store.context("other"))
    other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let note = one.note("one")
    try one.save()
    let same = try other.fetch(NSFetchRequest<Note>(entityName: "Note"))
    one.delete(note)
    try one.save()
    same.forEach(other.delete)
    other.note("new")
    try other.save()
    #expect(try one.changes().map(\.changeType) == [.insert, .delete, .insert])
  }

  @Test("one conflict among many objects prevents the whole save", arguments: stores)
  func allOrNothing(_ kind: StoreKind) throws {
    let (stack, _) = try conflict(kind)
    stack.note("new")
    #expect(throws: NSError.self) { try stack.save() }
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["theirs"])
    #expect(stack.context.insertedObjects.count == 1)
  }

  @Test("deleting an object that others changed is a conflict", arguments: stores)
  func deletion(_ kind: StoreKind) throws {
    let (stack, note) = try conflict(kind)
    stack.context.delete(note)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectMergeError)
    stack.context.mergePolicy = NSMergePolicy.overwrite
    try stack.save()
    #expect(try kept(stack) == nil)
  }

  @Test("changing an object that others deleted conflicts at version 0, without snapshot", arguments: stores)
  func deletedElsewhere(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let other = stack.newContext()
    other.delete(try other.existingObject(with: note.objectID))
    try other.save()
    note.title = "ours"
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    #expect(conflicts?.first?.persistedSnapshot == nil)
    #expect(conflicts?.first?.newVersionNumber == 0)
    stack.context.mergePolicy = NSMergePolicy.rollback
    try stack.save()
    #expect(try kept(stack) == nil)
  }

  @Test("a policy of one's own is given the conflicts, and may change the object", arguments: stores)
  func custom(_ kind: StoreKind) throws {
    let policy = JoiningPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let (stack, _) = try conflict(kind, policy)
    try stack.save()
    #expect(policy.calls == ["all 1", "versions 1"])
    #expect(try kept(stack)?.title == "ours and theirs")
  }

  @Test("a save throws the error that its policy throws", arguments: stores)
  func throwing(_ kind: StoreKind) throws {
    let (stack, _) = try conflict(kind, RefusingPolicy(merge: .rollbackMergePolicyType))
    #expect(throws: RefusingPolicy.Refusal.self) { try stack.save() }
    #expect(try kept(stack)?.title == "theirs")
  }

  @Test("a policy that settles nothing does not keep the save busy for ever", arguments: stores)
  func settlingNothing(_ kind: StoreKind) throws {
    let (stack, _) = try conflict(kind, IdlePolicy(merge: .rollbackMergePolicyType))
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(error?.localizedDescription.contains("call super") == true)
  }

  @Test("detectConflicts finds others' changes of an object unchanged here", arguments: stores)
  func detect(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (watched, other) = (stack.note("watched"), stack.note("other"))
    try stack.save()
    stack.context.detectConflicts(for: watched)
    other.rating = 5
    try stack.save()
    try stack.changeElsewhere(watched) { $0.title = "theirs" }
    other.rating = 6
    try stack.save()
    stack.context.detectConflicts(for: watched)
    other.rating = 7
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    #expect(conflicts?.map(\.sourceObject) == [watched])
  }

  @Test("changes of different objects do not conflict", arguments: stores)
  func differentObjects(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, other) = (stack.note("one"), stack.note("other"))
    try stack.save()
    try stack.changeElsewhere(other) { $0.rating = 9 }
    one.rating = 8
    try stack.save()
    #expect(try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext()).map(\.rating) == [8, 9])
  }

  @Test(
    "saving one object repeatedly from one context is not a conflict",
    arguments: StoreKind.allCases
  )
  func again(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    for rating in 0..<5 {
      note.rating = Int64(rating)
      try stack.save()
    }
    #expect(try kept(stack)?.rating == 4)
  }

  /// Joins the titles of both sides.
  private final class JoiningPolicy: NSMergePolicy, @unchecked Sendable {
    var calls: [String] = []

    override func resolve(mergeConflicts list: [Any]) throws {
      calls.append("all \(list.count)")
      try super.resolve(mergeConflicts: list)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      calls.append("versions \(list.count)")
      try super.resolve(optimisticLockingConflicts: list)
      for conflict in list {
        let theirs = conflict.persistedSnapshot?["title"] as? String ?? ""
        (conflict.sourceObject as? Note)?.title? += " and \(theirs)"
      }
    }
  }

  private final class RefusingPolicy: NSMergePolicy, @unchecked Sendable {
    struct Refusal: Error {}

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { throw Refusal() }
  }

  private final class IdlePolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {}
  }
}
