import CoreData
import Foundation
import Testing

@testable import CoreData

/// The rules for every store with a history. The piecewise deletion in SQLite has a suite of its own.
@Suite("The lifetime of the history")
struct HistoryLifetimeTests {
  private static var options: [AnyHashable: Any] {
    TrackedStore.options.merging([StoreHistoryLifetimeOption: NSNumber(value: 86_400)]) { $1 }
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(
    "saves delete older history piece by piece, and keep what is younger than the lifetime",
    arguments: StoreKind.sharedByPrograms
  )
  func pieces(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let old = try store.context()
    for number in 0..<120 {
      old.note("\(number)")
      try old.save()
    }
    try store.makeHistoryOlder(by: 1_000_000)
    let context = context(try store.coordinator(Self.options))
    // Each save triggers the deletion of a piece. PostgreSQL deletes it during later saves.
    var saved: Int64 = 120
    for _ in 0..<1000 where try context.transactions().first?.transactionNumber ?? 0 <= 120 {
      context.note("young")
      try context.save()
      saved += 1
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(try context.transactions().map(\.transactionNumber) == Array(121...saved))
    #expect(try context.changes().count == Int(saved) - 120)
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == Int(saved))
  }

  @Test("history has no gap if a clock was set back", arguments: StoreKind.sharedByPrograms)
  func gap(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let old = try store.context()
    for number in 0..<5 {
      old.note("\(number)")
      try old.save()
    }
    try store.makeHistoryOlder(by: 1_000_000, except: 3)
    let coordinator = try store.coordinator(Self.options)
    let context = context(coordinator)
    context.note("young")
    try context.save()
    // A deletion in progress completes before the store is closed.
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try old.transactions().map(\.transactionNumber) == [3, 4, 5, 6])
  }

  @Test("the lifetime of history must be a number above 0", arguments: StoreKind.sharedByPrograms)
  func wrong(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    for value in [0, -1, Double.nan, .infinity] {
      let options = TrackedStore.options.merging([StoreHistoryLifetimeOption: NSNumber(value: value)]) { $1 }
      let error = #expect(throws: NSError.self) { try store.coordinator(options) }
      #expect(error?.localizedDescription.contains("StoreHistoryLifetimeOption") == true)
    }
  }
}
