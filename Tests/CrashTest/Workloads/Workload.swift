import Foundation

/// Work on a store while the disk fails or the power is lost. It consists of steps, each of which takes effect as a whole or
/// not at all.
protocol Workload: Sendable {
  /// The name in reports and on the command line.
  var name: String { get }

  /// The number of steps.
  var steps: Int { get }

  /// When an acknowledged step must survive a power failure.
  var durability: Durability { get }

  /// The maximum number of runs, for workloads whose runs take seconds.
  var mostRuns: Int? { get }

  /// Creates the state before the first step, on a working disk.
  func prepare(_ place: WorkPlace) throws

  /// Performs the steps, and calls `acknowledge` with the number of each completed step.
  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws

  /// The arguments of `perennial` if that command does the work, in one step.
  func arguments(_ place: WorkPlace) -> [String]?

  /// Checks that everything is intact, as a program does that starts after a failure.
  ///
  /// - Returns: the number of steps that took effect.
  /// - Throws: what is damaged.
  func state(_ place: WorkPlace) throws -> Int

  /// Whether the workload may create, change or remove a file.
  ///
  /// - Parameter path: the file's path below the folder.
  func owns(_ path: String) -> Bool
}

/// When an acknowledged step must survive a power failure.
enum Durability: Sendable {
  /// Immediately.
  case acknowledged
  /// After the write-ahead log was synchronised: `synchronous = NORMAL`.
  case synchronised
}

/// The folders of one run of a workload.
struct WorkPlace: Sendable {
  /// The folder whose disk fails.
  let folder: URL
  /// The folder of files that are only read: models and seeds.
  let inputs: URL

  /// The store file of most workloads.
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

  /// Whether a path is a store file, a file that SQLite keeps next to it, or an external data file of the store.
  static func isPart(_ path: String, of store: String) -> Bool {
    let stem = store.split(separator: ".").dropLast().joined(separator: ".")
    return [store, "\(store)-wal", "\(store)-shm", "\(store)-journal", ".\(stem)_SUPPORT"].contains(path)
      || path.hasPrefix(".\(stem)_SUPPORT/")
  }
}
