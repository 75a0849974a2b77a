import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreData

/// Repeatedly saves two notes with equal values, on its own thread.
// Only the thread uses the context, and locks protect the state that it shares.
private final class PairWriter: @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let hasLargeValues: Bool
  private let isStopped = Mutex(false)
  private let numbers = Mutex(0)
  private let failure = Mutex<(any Error)?>(nil)
  /// Signalled by each save.
  private let saves = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private var notes: [Note] = []

  init(_ coordinator: NSPersistentStoreCoordinator, hasLargeValues: Bool) {
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    self.hasLargeValues = hasLargeValues
  }

  /// The body of both notes after a save.
  static func body(_ number: Int) -> Data { Data(repeating: UInt8(number & 0xFF), count: 140_000 + number) }

  /// The number of committed saves.
  var committed: Int { numbers.withLock { $0 } }

  func start() throws {
    notes = [context.note("left"), context.note("right")]
    for note in notes { note.rating = 0 }
    try context.save()
    Thread { self.run() }.start()
  }

  private func run() {
    var number = 0
    do {
      while !isStopped.withLock({ $0 }) {
        number += 1
        for note in notes {
          note.rating = Int64(number)
          if hasLargeValues { note.setValue(Self.body(number), forKey: "body") }
        }
        try context.save()
        numbers.withLock { $0 = number }
        saves.signal()
      }
    } catch {
      failure.withLock { $0 = error }
      saves.signal()
    }
    end.signal()
  }

  /// Waits for the next save.
  func waitForSave() { saves.wait() }

  func stop() throws {
    isStopped.withLock { $0 = true }
    end.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

@Suite("Backups under load")
struct BackupUnderLoadTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    try FileManager.default.createDirectory(
      at: folder.file("backups"),
      withIntermediateDirectories: false
    )
  }

  private func open() throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSPersistentHistoryTrackingKey: true]
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    return coordinator
  }

  @Test(
    "each of 20 backups under load is intact, and a consistent snapshot",
    arguments: [(true, false), (true, true), (false, true)]
  )
  func moments(_ isSameCoordinator: Bool, _ hasLargeValues: Bool) throws {
    let coordinator = try open()
    let writer = PairWriter(isSameCoordinator ? coordinator : try open(), hasLargeValues: hasLargeValues)
    try writer.start()
    var committed: [(before: Int, after: Int)] = []
    for number in 0..<20 {
      writer.waitForSave()
      let before = writer.committed
      try coordinator.backUpPersistentStore(coordinator.persistentStores[0], to: place(number))
      committed.append((before, writer.committed))
    }
    try writer.stop()
    for number in 0..<20 {
      // A save may be committed before it is counted.
      try check(number, committed[number].before...committed[number].after + 1, hasLargeValues)
    }
    #expect(committed[19].after > committed[0].before)
  }

  private func place(_ number: Int) -> URL { folder.file("backups/\(number).sqlite") }

  private func check(_ number: Int, _ saves: ClosedRange<Int>, _ hasLargeValues: Bool) throws {
    #expect(try SQLiteStoreCheck(store: place(number), model: model).findings() == [])
    let ratings: [Int] = try folder.query("SELECT ZRATING FROM ZNOTE", at: place(number))
    let rating = try #require(ratings.first)
    #expect(ratings == [rating, rating] && saves.contains(rating), "\(ratings) of \(saves)")
    #expect(try folder.query("SELECT COUNT(*) FROM ATRANSACTION", at: place(number)) == [rating + 1])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: place(number),
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    let body = hasLargeValues ? PairWriter.body(rating) : nil
    #expect(notes.count == 2 && notes.allSatisfy { $0.value(forKey: "body") as? Data == body })
    try coordinator.remove(coordinator.persistentStores[0])
  }
}
