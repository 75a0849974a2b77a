import CoreData
import Foundation

/// Batch requests and a purge of the history, each as one step.
struct BatchWorkload: Workload {
  let name = "batch requests"
  let steps = 4
  let durability = Durability.synchronised
  private static let (batches, tagCount) = (13, 150)
  private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  func prepare(_ place: WorkPlace) throws {
    try CrashStore.make(place.store, batches: Self.batches, options: Self.options)
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    let store = try CrashStore(place.store, options: Self.options)
    let tags = (0..<Self.tagCount).map { _ in ["name": "new"] }
    let update = NSBatchUpdateRequest(entityName: "Tag")
    update.predicate = NSPredicate(format: "name == 'new'")
    update.propertiesToUpdate = ["name": "changed"]
    let changed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
    changed.predicate = NSPredicate(format: "name == 'changed'")
    let requests: [NSPersistentStoreRequest] = [
      NSBatchInsertRequest(entityName: "Tag", objects: tags), update,
      NSBatchDeleteRequest(fetchRequest: changed),
      NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture),
    ]
    for (number, request) in requests.enumerated() {
      do {
        _ = try store.context.execute(request)
      } catch {
        say("refused \(CrashStore.words(error))")
        _ = try store.context.execute(request)
      }
      acknowledge(number + 1)
    }
    try store.close()
  }

  func state(_ place: WorkPlace) throws -> Int {
    // The check of the batches leaves the history out, because the batch requests have transactions in it too.
    guard try CrashStore.lastBatch(of: place.store) == Self.batches else {
      throw CrashStore.Wrong(description: "the batches are not what they were")
    }
    let store = try CrashStore(place.store, options: Self.options)
    defer { try? store.close() }
    let (new, changed) = (try count("new", store), try count("changed", store))
    let transactions = try store.transactionCount() - Self.batches
    switch (new, changed, transactions) {
    case (0, 0, 0): return 0
    case (Self.tagCount, 0, 1): return 1
    case (0, Self.tagCount, 2): return 2
    case (0, 0, 3): return 3
    case (0, 0, -Self.batches): return 4
    default:
      throw CrashStore.Wrong(
        description:
          "there are \(new) new tags and \(changed) changed ones, and \(transactions) new transactions"
      )
    }
  }

  private func count(_ name: String, _ store: CrashStore) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    request.predicate = NSPredicate(format: "name == %@", name)
    return try store.context.count(for: request)
  }
}
