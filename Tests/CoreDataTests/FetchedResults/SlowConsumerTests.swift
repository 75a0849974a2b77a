import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A slow consumer of updates", .timeLimit(.minutes(10)))
struct SlowConsumerTests {
  @Test(
    "a slow consumer gets only the newest results, with the difference to its previous ones",
    arguments: StoreKind.storesAndChildren
  )
  func newest(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b", "c"])
    var updates = stack.context.updates(of: try stack.notes(), transform: \.objectID).makeAsyncIterator()
    let first = try #require(try await updates.next())
    for number in 0..<20 {
      try await stack.work { stack in
        let notes = try stack.context.fetch(try stack.notes())
        notes.last?.title = "\(number)"
        if number.isMultiple(of: 5) { stack.context.delete(notes[0]) }
        stack.note("n\(number)")
        if number.isMultiple(of: 3) { try stack.save() }
      }
    }
    try await stack.work { try $0.save() }
    let second = try #require(try await updates.next())
    let fresh = try await stack.context.perform {
      try stack.context.fetch(try stack.notes()).map(\.objectID)
    }
    #expect(second.results == fresh)
    #expect(first.results.applying(try #require(second.difference)) == second.results)
  }

  @Test("a slow consumer gets no update for canceled-out changes", arguments: StoreKind.storesAndChildren)
  func comeAndGone(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { stack in
      stack.note("a")
      try stack.save()
    }
    try await stack.work { stack in
      try stack.fetch(Note.self).forEach(stack.context.delete)
      try stack.save()
    }
    try await stack.work { $0.note("b") }
    let update = try #require(try await updates.next())
    #expect(update.results == ["b"] && update.difference?.count == 1)
  }

  @Test("a slow consumer does not retain intermediate objects", arguments: [StoreKind.inMemory, .sqlite])
  func memory(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    let objects = WeakObjects()
    for _ in 0..<10 {
      try await stack.work { stack in
        let notes = (0..<300).map { stack.note("\($0)") }
        objects.add(notes)
        try stack.save()
        notes.forEach(stack.context.delete)
        try stack.save()
      }
    }
    try await stack.work { _ in #expect(objects.count <= 1000) }
    try await stack.work { $0.note("last") }
    #expect(try await updates.next()?.results == ["last"])
    try await stack.work { _ in #expect(objects.count == 0) }
  }

  @Test("more changed objects than results are reported to a slow consumer as a change of everything")
  func limit() async throws {
    let stack = try Stack(.inMemory)
    try await stack.work { stack in
      let notes = Set<NSManagedObject>((0..<5).map { stack.note("\($0)") })
      var collected = ToldChanges()
      collected.add(ToldChanges(changed: [notes]), atMost: 5) { _ in true }
      collected.add(ToldChanges(identified: [notes]), atMost: 5) { _ in true }
      #expect(!collected.isEverything && collected.changed == [notes])
      collected.add(ToldChanges(changed: [[stack.tag("t")]]), atMost: 5) { $0 is Note }
      #expect(!collected.isEverything)
      collected.add(ToldChanges(saved: [[stack.note("n")]]), atMost: 5) { _ in true }
      #expect(collected.isEverything && collected.changed.isEmpty && collected.saved.isEmpty)
    }
  }

  /// Weak references, to count the objects that still exist.
  // Only used on the queue of the objects' context.
  private final class WeakObjects: @unchecked Sendable {
    private struct Reference {
      weak var object: NSManagedObject?
    }

    private var references: [Reference] = []

    var count: Int { references.count { $0.object != nil } }

    func add(_ objects: [NSManagedObject]) { references += objects.map { Reference(object: $0) } }
  }
}
