/// The decision on an object of the store by the run's pruning.
enum PruneDecision: Equatable {
  /// The object stays.
  case keep
  /// The run deletes the object.
  case delete
  /// A user has changed an object that the seeds do not contain any more. The report gets a conflict.
  case conflict(isSeedTaken: Bool)

  /// True if the run deletes the object.
  var deletes: Bool { self == .delete || self == .conflict(isSeedTaken: true) }

  /// Decides on an object.
  /// - Parameters:
  ///   - isOfRun: True if a record of the run describes the object.
  ///   - isAbandoned: True if seeds have created the object and do not contain it any more.
  ///   - isOfSeededEntity: True if the seeds have a list of the object's entity.
  static func decide(
    _ pruning: SeedPruning,
    isOfRun: @autoclosure () throws -> Bool,
    isAbandoned: @autoclosure () -> Bool,
    isOfSeededEntity: @autoclosure () -> Bool
  ) rethrows -> PruneDecision {
    switch pruning {
    case .none: return .keep
    case .own: return try isAbandoned() && !isOfRun() ? .delete : .keep
    case .all: return try isOfSeededEntity() && !isOfRun() ? .delete : .keep
    }
  }

  /// Decides on an object that seeds have created and do not contain any more.
  /// - Parameter conflict: The conflict with a user's change of the object, if there is one.
  static func decide(onAbandonedWith conflict: SeedReport.Conflict?) -> PruneDecision {
    conflict.map { .conflict(isSeedTaken: $0.isSeedTaken) } ?? .delete
  }
}
