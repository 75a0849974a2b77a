import CoreData
import Foundation
import Samples

/// Saves into a store with persistent history, compared with the same saves into one without.
struct HistoryWorkloads {
  private static let bound = 1.4

  let files: SampleFiles
  let count: Int

  func insert() -> Workload {
    func contender(_ name: String, _ bounds: [Bound] = [], tracksHistory: Bool) -> Contender {
      Contender(name, bounds, prepare: { try context(rows: 0, tracksHistory) }) { context in
        for row in 0..<count { Sample(context: context).fill(row) }
        try context.save()
      }
    }
    return Workload(
      title: "insert \(count) objects, one save, with persistent history",
      contenders: [
        contender("without history", tracksHistory: false),
        contender("with history", [.times(Self.bound)], tracksHistory: true),
      ]
    )
  }

  func change() -> Workload {
    func contender(_ name: String, _ bounds: [Bound] = [], tracksHistory: Bool) -> Contender {
      Contender(name, bounds, prepare: { try fetched(tracksHistory) }) { context, samples in
        for (row, sample) in samples.enumerated() { sample.a0 = Int64(row + 7) }
        try context.save()
      }
    }
    return Workload(
      title: "change one attribute in \(count) fetched objects, save, with persistent history",
      contenders: [
        contender("without history", tracksHistory: false),
        contender("with history", [.times(Self.bound)], tracksHistory: true),
      ]
    )
  }

  private func fetched(_ tracksHistory: Bool) throws -> (NSManagedObjectContext, [Sample]) {
    let context = try context(rows: count, tracksHistory)
    return (context, try context.fetch(NSFetchRequest<Sample>(entityName: "Sample")))
  }

  private func context(rows: Int, _ tracksHistory: Bool) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: files.make(rows: rows),
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: tracksHistory)]
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
