import Foundation

/// Something that is done to a store while the disk fails, or until the power goes, in steps each of which is there as
/// a whole or not at all.
protocol Workload: Sendable {
  /// What it is called in reports and on the command line.
  var name: String { get }

  /// How many steps there are.
  var steps: Int { get }

  /// When a step that was acknowledged is to outlast the power.
  var durability: Durability { get }

  /// How often it is run at most, when one run takes seconds.
  var mostRuns: Int? { get }

  /// Makes what is there before the first step, on a disk that works.
  func prepare(_ place: WorkPlace) throws

  /// Does the steps, and calls `acknowledge` with the number of each that is done.
  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws

  /// The arguments of `perennial` where that does the work, in one step.
  func arguments(_ place: WorkPlace) -> [String]?

  /// Looks whether everything is whole, as a program would that is started after a failure.
  ///
  /// - Returns: how many steps are there.
  /// - Throws: what is not whole.
  func state(_ place: WorkPlace) throws -> Int

  /// Whether the work may make, change or remove a file.
  ///
  /// - Parameter path: the file's path below the folder.
  func owns(_ path: String) -> Bool
}

/// When a step that was acknowledged is to outlast the power.
enum Durability: Sendable {
  /// At once.
  case acknowledged
  /// Once the write-ahead log was synchronised: `synchronous = NORMAL`.
  case synchronised
}

/// Where a workload works.
struct WorkPlace: Sendable {
  /// The folder whose disk fails.
  let folder: URL
  /// The folder of what is only read: models and seeds.
  let inputs: URL

  /// The file of the store that most workloads work on.
  var store: URL { folder.appendingPathComponent("store.sqlite") }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
}

extension Workload {
  var steps: Int { 1 }
  var durability: Durability { .acknowledged }
  var mostRuns: Int? { nil }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {}
  func arguments(_ place: WorkPlace) -> [String]? { nil }
  func owns(_ path: String) -> Bool { Self.isPart(path, of: "store.sqlite") }

  /// Whether a path is the file of a store, one that SQLite keeps beside it, or one of its external data.
  static func isPart(_ path: String, of store: String) -> Bool {
    let stem = store.split(separator: ".").dropLast().joined(separator: ".")
    return [store, "\(store)-wal", "\(store)-shm", "\(store)-journal", ".\(stem)_SUPPORT"].contains(path)
      || path.hasPrefix(".\(stem)_SUPPORT/")
  }
}
