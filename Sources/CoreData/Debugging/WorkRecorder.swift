import Synchronization

/// Keeps what a coordinator's stores are asked, and hands it on to the monitor that was there before.
final class WorkRecorder: StoreMonitor {
  /// The most statements whose words are kept.
  private static let mostLines = 1000

  private let outer: (any StoreMonitor)?
  private let state = Mutex<(count: Int, lines: [String])>((0, []))

  init(_ outer: (any StoreMonitor)?) { self.outer = outer }

  /// The number of statements, and the words for the first of them.
  var recorded: (count: Int, lines: [String]) { state.withLock { $0 } }

  func begin(_ work: StoreWork) -> (StoreWorkOutcome) -> Void {
    let end = outer?.begin(work)
    return { [self] outcome in
      record(work, outcome: outcome)
      end?(outcome)
    }
  }

  private func record(_ work: StoreWork, outcome: StoreWorkOutcome) {
    state.withLock { state in
      state.count += 1
      if state.lines.count == Self.mostLines { return }
      let entity = work.entity.map { " of \($0)" } ?? ""
      let rows = "\(outcome.rowCount) row\(outcome.rowCount == 1 ? "" : "s")"
      let failure = outcome.error == nil ? "" : ", failed"
      state.lines.append("\(work.kind.words)\(entity), \(rows)\(failure)")
    }
  }

  func waited(_ time: Duration, for subject: StoreWait) { outer?.waited(time, for: subject) }

  func committed() { outer?.committed() }

  func carrier() -> (any TaskCarrier)? { outer?.carrier() }
}

extension StoreWork.Kind {
  /// The kind in the words of an error.
  fileprivate var words: String {
    switch self {
    case .fetch, .count, .aggregate, .fault, .relationship, .identifiers, .save, .migration: rawValue
    case .batchInsertion: "batch insertion"
    case .batchUpdate: "batch update"
    case .batchDeletion: "batch deletion"
    }
  }
}
