import CoreData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("Saves of many contexts that write the same")
struct ContentionTests {
  /// The stores whose contexts resolve conflicts. A child leaves that to its parent, and the tests' incremental
  /// store detects no conflicts.
  static let stores = StoreKind.allCases.filter { !$0.isChild && $0 != .incremental }

  private static let contextWins = [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite]

  private func kept(_ stack: Stack) throws -> Note? {
    try stack.fetch(Note.self, in: stack.newContext()).first
  }

  /// Saves concurrently from as many tasks as there are numbers, each in its own context.
  ///
  /// - Returns: the errors of the saves.
  private func saving(
    _ numbers: Range<Int>,
    _ policy: NSMergePolicy,
    on coordinators: [NSPersistentStoreCoordinator],
    _ change: @escaping @Sendable (NSManagedObjectContext, Int) throws -> Void
  ) async -> [any Error] {
    await withTaskGroup(of: (any Error)?.self) { group in
      for number in numbers {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinators[number % coordinators.count]
        context.mergePolicy = policy
        group.addTask {
          do {
            try await context.perform {
              try change(context, number)
              try context.save()
            }
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: [any Error]()) { errors, error in
        if let error { errors.append(error) }
      }
    }
  }

  @Test(
    "all of 100 concurrent saves of one object succeed, under every merge policy",
    arguments: stores,
    contextWins + [.mergeByPropertyStoreTrump, .rollback]
  )
  func oneObject(_ kind: StoreKind, _ policy: NSMergePolicy) async throws {
    let stack = try Stack(kind)
    stack.note("one", rating: -1)
    try stack.save()
    let errors = await saving(0..<100, policy, on: [stack.coordinator]) { context, number in
      let note = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))[0]
      note.rating = Int64(number)
    }
    #expect(errors.isEmpty, "\(errors.first.map { "\($0)" } ?? "")")
    let note = try #require(try kept(stack))
    #expect((0..<100).contains(note.rating))
  }

  @Test(
    "all of 60 concurrent saves through two coordinators succeed",
    arguments: StoreKind.sharedByPrograms
  )
  func twoCoordinators(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind, model: TestModel.shared)
    let coordinators = [try store.coordinator(nil), try store.coordinator(nil)]
    let first = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    first.persistentStoreCoordinator = coordinators[0]
    let note = first.note("one")
    note.rating = 0
    try first.save()
    let errors = await saving(0..<60, .mergeByPropertyObjectTrump, on: coordinators) { context, number in
      let note = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))[0]
      note.setValue(number, forKey: "medium")
    }
    #expect(errors.isEmpty, "\(errors.first.map { "\($0)" } ?? "")")
    first.refreshAllObjects()
    #expect((note.value(forKey: "medium") as? Int).map((0..<60).contains) == true)
  }

  @Test("all of 40 concurrent insertions of one unique value succeed", arguments: stores)
  func oneValue(_ kind: StoreKind) async throws {
    let stack = try Stack.graph(kind)
    let errors = await saving(0..<40, .mergeByPropertyObjectTrump, on: [stack.coordinator]) {
      context,
      number in
      let country = Country(context: context)
      country.code = "de"
      country.area = Int64(number)
    }
    #expect(errors.isEmpty, "\(errors.first.map { "\($0)" } ?? "")")
    let found = try stack.fetch(Country.self, in: stack.newContext())
    #expect(found.count == 1)
    #expect(found.first.map { (0..<40).contains($0.area) } == true)
  }

  /// A policy during whose first call others write the object again, and during whose second call another one
  /// waits for the lock.
  private final class InterruptedPolicy: NSMergePolicy, @unchecked Sendable {
    private let calls = Mutex(0)
    let interrupt: @Sendable (_ call: Int) throws -> Void

    init(_ type: NSMergePolicyType, _ interrupt: @escaping @Sendable (Int) throws -> Void) {
      self.interrupt = interrupt
      super.init(merge: type)
    }

    var count: Int { calls.withLock { $0 } }

    override func resolve(mergeConflicts list: [Any]) throws {
      try super.resolve(mergeConflicts: list)
      try interrupt(
        calls.withLock { calls in
          calls += 1
          return calls
        }
      )
    }
  }

  @Test(
    "concurrent saves conflict at most twice: the second time, others wait until they have ended",
    arguments: stores,
    [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]
  )
  func secondConflict(_ kind: StoreKind, _ type: NSMergePolicyType) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 0)
    try stack.save()
    let id = note.objectID
    let (first, second, waiting) = (stack.newContext(), stack.newContext(), stack.newContext())
    waiting.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let ended = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    let policy = InterruptedPolicy(type) { call in
      if call == 1 { return try Self.change(id, in: second) { $0.title = "second" } }
      DispatchQueue.global().async(group: ended) {
        do {
          try Self.change(id, in: waiting) { $0.setValue(7, forKey: "medium") }
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    stack.context.mergePolicy = policy
    try Self.change(id, in: first) { $0.title = "first" }
    note.rating = 5
    try stack.save()
    ended.wait()
    let error = failure.withLock { $0 }
    #expect(error == nil)
    #expect(policy.count == 2)
    let kept = try #require(try kept(stack))
    let isWhole = type == .overwriteMergePolicyType
    #expect(kept.title == (isWhole ? "one" : "second") && kept.rating == 5)
    #expect(kept.value(forKey: "medium") as? Int == 7)
  }

  /// Changes an object and saves, on the queue of a context.
  private static func change(
    _ id: NSManagedObjectID,
    in context: NSManagedObjectContext,
    _ change: @Sendable (Note) -> Void
  ) throws {
    try context.performAndWait {
      guard let note = try context.existingObject(with: id) as? Note else { return }
      change(note)
      try context.save()
    }
  }

  @Test("both attempts of a save hold the lock in one transaction")
  func statements() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    let note = stack.note("one", rating: 0)
    try stack.save()
    let (id, other) = (note.objectID, stack.newContext())
    stack.context.mergePolicy = InterruptedPolicy(.mergeByPropertyObjectTrumpMergePolicyType) { call in
      if call == 1 { try Self.change(id, in: other) { $0.title = "second" } }
    }
    try Self.change(id, in: other) { $0.title = "first" }
    note.rating = 5
    let recorder = try #require(stack.recorder)
    let before = recorder.statements.count
    try stack.save()
    let words = recorder.statements.dropFirst(before).compactMap { statement in
      ["BEGIN IMMEDIATE", "COMMIT", "UPDATE ZNOTE"].first(where: statement.sql.hasPrefix)
    }
    #expect(
      words == [
        // The save meets a conflict and is rolled back.
        "BEGIN IMMEDIATE", "UPDATE ZNOTE",
        // The other context saves.
        "BEGIN IMMEDIATE", "UPDATE ZNOTE", "COMMIT",
        // The repeated save meets a conflict once more, and then succeeds within the same transaction.
        "BEGIN IMMEDIATE", "UPDATE ZNOTE", "UPDATE ZNOTE", "COMMIT",
      ]
    )
  }

  @Test("conflicting saves keep changes of several stores atomic", arguments: [StoreKind.sqlite, .xml])
  func severalStores(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let memory = try stack.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil
    )
    let own = try #require(stack.coordinator.persistentStores.first)
    let notes = [own, memory].map { store in
      let note = stack.note("one", rating: 0)
      stack.context.assign(note, to: store)
      return note
    }
    try stack.save()
    let (other, ids) = (stack.newContext(), notes.map(\.objectID))
    stack.context.mergePolicy = InterruptedPolicy(.mergeByPropertyObjectTrumpMergePolicyType) { call in
      if call == 1 { for id in ids { try Self.change(id, in: other) { $0.title = "second" } } }
    }
    for id in ids { try Self.change(id, in: other) { $0.title = "first" } }
    for note in notes { note.rating = 5 }
    try stack.save()
    let kept = try stack.fetch(Note.self, in: stack.newContext())
    #expect(kept.map(\.title) == ["second", "second"] && kept.map(\.rating) == [5, 5])
  }

  @Test("conflicting saves have one history transaction each", arguments: StoreKind.sharedByPrograms)
  func history(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let (one, other) = (try store.context("one"), try store.context("other"))
    one.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let note = one.note("one")
    try one.save()
    for rating in 1...3 {
      let same = try #require(try other.existingObject(with: note.objectID) as? Note)
      other.refresh(same, mergeChanges: false)
      same.setValue(rating, forKey: "medium")
      try other.save()
      note.rating = Int64(rating)
      try one.save()
    }
    #expect(try one.changes().map(\.changeType) == [.insert] + Array(repeating: .update, count: 6))
  }

  @Test(
    "a save of an object that others have deleted fails as a whole",
    arguments: stores,
    contextWins
  )
  func deleted(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let stack = try Stack(kind)
    let (gone, changed) = (stack.note("gone"), stack.note("changed"))
    try stack.save()
    try stack.changeElsewhere(changed) { $0.setValue(3, forKey: "small") }
    let other = stack.newContext()
    other.delete(try other.existingObject(with: gone.objectID))
    try other.save()
    stack.context.mergePolicy = policy
    gone.rating = 9
    changed.rating = 9
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
    #expect(error?.localizedDescription.contains("deleted by others") == true)
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    #expect(conflicts?.map(\.sourceObject) == [gone])
    #expect(conflicts?.first?.persistedSnapshot == nil && conflicts?.first?.newVersionNumber == 0)
    #expect(gone.isUpdated && changed.isUpdated && gone.rating == 9)
    let kept = try stack.fetch(Note.self, in: stack.newContext())
    #expect(kept.map(\.title) == ["changed"] && kept.map(\.rating) == [3])
    // The deletion is the remedy that the error names.
    stack.context.delete(gone)
    stack.note("gone", rating: 9)
    try stack.save()
    let after = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(after.map(\.title) == ["changed", "gone"] && after.map(\.rating) == [9, 9])
    #expect(!stack.context.hasChanges)
  }

  @Test(
    "with store trump, an object that others have deleted stays deleted",
    arguments: stores,
    [NSMergePolicy.mergeByPropertyStoreTrump, .rollback]
  )
  func deletionStands(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
    let stack = try Stack(kind)
    let (gone, changed) = (stack.note("gone"), stack.note("changed"))
    try stack.save()
    let other = stack.newContext()
    other.delete(try other.existingObject(with: gone.objectID))
    try other.save()
    stack.context.mergePolicy = policy
    gone.rating = 9
    changed.rating = 9
    try stack.save()
    let kept = try stack.fetch(Note.self, in: stack.newContext())
    #expect(kept.map(\.title) == ["changed"] && kept.map(\.rating) == [9])
    #expect(!stack.context.hasChanges)
  }
}
