public import Foundation

/// The outcome of a check of an open store: whether the store can do its work, and the problems that it has.
public struct StoreHealth: Sendable {
  /// A problem that keeps a store from its work, or soon will.
  public struct Problem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Kind: String, Sendable, CaseIterable {
      /// The store was closed.
      case closed
      /// Other writers have held the lock until the deadline of the check.
      case busy
      /// The path of the store leads to another file, or to no file.
      case replaced
      /// Another process has migrated the store, or put another store there.
      case incompatible
      /// The store cannot be written, or not be read.
      case failing
      /// The disk has less free space than the limit.
      case lowSpace
      /// The write-ahead log is longer than the limit.
      case longLog
      /// The history has more transactions than the limit.
      case longHistory

      /// True for a problem that does not stop the store yet, and will if it is not fixed:
      /// ``lowSpace``, ``longLog`` and ``longHistory``.
      public var isWarning: Bool {
        switch self {
        case .lowSpace, .longLog, .longHistory: true
        case .closed, .busy, .replaced, .incompatible, .failing: false
        }
      }
    }

    /// The kind of problem.
    public let kind: Kind
    /// The problem and its remedy, with the path of the store, for the operator of the server: not for its clients.
    public let description: String
  }

  /// The problems that the check has found; empty for a healthy store.
  public package(set) var problems: [Problem] = []

  /// The present work of the store; `nil` for a store without connections of its own, and for a
  /// store that was closed before the check.
  public package(set) var activity: StoreActivity?

  /// The number of bytes that this user may still write to the disk of the store; `nil` if the
  /// system does not report it.
  public package(set) var availableByteCount: Int64?

  /// The number of transactions that the history has from the first to the last; `nil` where the store keeps none.
  public package(set) var historyTransactionCount: Int?

  /// The date of the first transaction in the history; `nil` where there is none.
  public package(set) var oldestTransactionDate: Date?

  package init() {}

  /// True when nothing was found to be wrong.
  public var isHealthy: Bool { problems.isEmpty }

  /// True when the store can be read and written: nothing was found to be wrong but warnings. A server
  /// that answers by this is not taken away from its clients since its log is long.
  public var isUsable: Bool { problems.allSatisfy(\.kind.isWarning) }

  package mutating func add(_ kind: Problem.Kind, description: String) {
    problems.append(Problem(kind: kind, description: description))
  }
}

/// The limits beyond which a look at a store finds a problem; `nil` for none.
///
/// ```swift
/// var limits = StoreHealthLimits()
/// limits.historyTransactionCount = 0
/// let health = try await coordinator.health(of: store, limits: limits, deadline: requestDeadline)
/// print(health.problems.map(\.kind))  // [longHistory]
/// ```
public struct StoreHealthLimits: Sendable {
  /// The least number of bytes that are to be left on the disk: 64 MiB unless set.
  public var availableByteCount: Int64? = 64 << 20

  /// The size of the write-ahead log in bytes: 256 MiB unless set. The cause of a longer log is
  /// often a query generation that is held, or another program whose read transaction does not end.
  public var logByteCount: Int? = 256 << 20

  /// The number of transactions in the history: a million unless set. They are deleted by
  /// ``StoreHistoryLifetimeOption``, by
  /// ``NSPersistentStoreCoordinator/maintainPersistentStore(_:_:deletingHistoryBefore:)``, and by the
  /// application's own requests.
  public var historyTransactionCount: Int? = 1_000_000

  /// Makes the default limits, which are documented at each limit.
  public init() {}
}
