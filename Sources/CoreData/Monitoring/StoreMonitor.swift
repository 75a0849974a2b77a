/// Observes the work of a coordinator's stores, and how long it takes.
///
/// `CoreData` depends on no library for metrics or traces: the product `CoreDataServer` has a
/// monitor that reports them.
package protocol StoreMonitor: Sendable {
  /// Called when work with the stores begins, on the thread that does it.
  ///
  /// - Returns: what is called on the same thread when the work has ended.
  func begin(_ work: StoreWork) -> (StoreWorkOutcome) -> Void

  /// Called when a writer has waited successfully, or has timed out.
  func waited(_ time: Duration, for subject: StoreWait)

  /// Called when a transaction of a store is committed.
  func committed()

  /// Carries task-local state from the caller's task to the thread that does its work.
  func carrier() -> (any TaskCarrier)?
}

/// Has the work of a task that a thread outside of it does find what belongs to the task.
package protocol TaskCarrier: Sendable {
  func carry(_ work: () -> Void)
}

/// A piece of work with the stores of a coordinator.
package struct StoreWork: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case fetch
    case count
    case aggregate
    /// The values of one object that was a fault.
    case fault
    /// The destinations of a relationship, of one object or of many.
    case relationship
    /// Permanent IDs for objects that are not saved yet.
    case identifiers
    case save
    case batchInsertion
    case batchUpdate
    case batchDeletion
    case migration
  }

  package let kind: Kind
  /// The name of the entity; `nil` where the work is about several.
  package let entity: String?
}

/// The end of a piece of work.
package struct StoreWorkOutcome {
  /// The number of rows that were read or written.
  package internal(set) var rowCount = 0
  /// The number of objects that another writer had changed meanwhile, or that violate a constraint.
  package internal(set) var conflictCount = 0
  package internal(set) var error: (any Error)?
}

/// The lock or resource that a writer of a store waits for.
package enum StoreWait: String, Sendable, CaseIterable {
  /// Another writer of this process.
  case turn
  /// Another process, or another connection of this one.
  case lock
}
