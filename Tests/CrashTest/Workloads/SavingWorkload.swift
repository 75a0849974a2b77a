import CoreData
import Foundation

/// Saves one batch after another. Every fourth batch has external data, also among the batches that are deleted.
struct SavingWorkload: Workload {
  let name: String
  var type = NSSQLiteStoreType
  var history = false
  var synchronous: String?
  /// The number of batches before the first step; with 0, there is no store.
  var first = 15
  var steps = 2
  /// The number of pages of the log after which SQLite runs a checkpoint.
  var checkpoint: Int?

  var durability: Durability {
    type == NSSQLiteStoreType && synchronous != "FULL" ? .synchronised : .acknowledged
  }

  private var options: [AnyHashable: Any] {
    var options: [AnyHashable: Any] = history ? [NSPersistentHistoryTrackingKey: true] : [:]
    var pragmas: [String: String] = [:]
    pragmas["synchronous"] = synchronous
    pragmas["wal_autocheckpoint"] = checkpoint.map(String.init)
    if !pragmas.isEmpty { options[NSSQLitePragmasOption] = pragmas }
    return options
  }

  func prepare(_ place: WorkPlace) throws {
    if first > 0 { try CrashStore.make(place.store, batches: first, options: options, type: type) }
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    let store = try CrashStore(place.store, options: options, type: type)
    for step in 1...steps {
      _ = try store.changeForNextBatch()
      do {
        try store.context.save()
      } catch {
        // The context still has the changes of the failed save, and the disk may work again.
        say("refused \(CrashStore.words(error))")
        try store.context.save()
      }
      acknowledge(step)
    }
    try store.close()
  }

  func state(_ place: WorkPlace) throws -> Int {
    let store = try CrashStore(place.store, options: options, type: type)
    let last = Int(try store.lastBatch())
    try store.close()
    return last - first
  }
}

extension CrashStore {
  /// Creates a store of some batches, and closes it.
  static func make(
    _ file: URL,
    batches: Int,
    options: [AnyHashable: Any] = [:],
    type: String = NSSQLiteStoreType
  ) throws {
    let store = try CrashStore(file, options: options, type: type)
    for _ in 0..<batches { _ = try store.saveNextBatch() }
    try store.close()
  }

  /// The last batch of a store, which must be intact; `nil` if there is no store.
  static func lastBatch(of file: URL, type: String = NSSQLiteStoreType) throws -> Int? {
    if try isAbsent(file, type: type) { return nil }
    let store = try CrashStore(file, type: type)
    defer { try? store.close() }
    return Int(try store.lastBatch())
  }

  /// Whether there is no file, an empty one, or a database without tables.
  static func isAbsent(_ file: URL, type: String = NSSQLiteStoreType) throws -> Bool {
    let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? 0
    if type != NSSQLiteStoreType { return size == 0 }
    if size == 0, !FileManager.default.fileExists(atPath: file.path + "-wal") { return true }
    return try SQLiteShell.ask(file, "SELECT count(*) FROM sqlite_master") == "0"
  }

  /// An error as a single line.
  static func words(_ error: any Error) -> String {
    let error = error as NSError
    return "\(error.domain) \(error.code) \(error.localizedDescription)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
