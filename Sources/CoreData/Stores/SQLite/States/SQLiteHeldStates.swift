import Dispatch
import Files
import Foundation
import GRDB
import Synchronization

/// The states of a store that query generations hold: bounds them, and has the log begin anew when
/// none is left.
///
/// SQLite uses its log again from the beginning, and shortens it then, as soon as all of it is in
/// the file and nobody reads it: its documentation of write-ahead logging. A state that is held
/// keeps both from happening. The bounds are looked at after each commit of this process, so that
/// nothing has to wake up for it.
final class SQLiteHeldStates: Sendable {
  private struct Held: Sendable {
    weak var snapshot: SQLiteSnapshot?
    var began: ContinuousClock.Instant
    /// The size of the log when the state was begun.
    var logSize: Int
  }

  private struct State {
    var last = 0
    var held: [Int: Held] = [:]
    /// The size of the log when all states were let go of: those that came later did not make it.
    var sharedSize = 0
  }

  /// The reason for which a state is let go of.
  private enum Excess {
    case age(Duration)
    case growth(Int)
    case succession(Int)
  }

  private struct Weak: Sendable {
    weak var states: SQLiteHeldStates?
  }

  /// Those of this process that hold a state, by their file.
  private static let holders = Mutex<[FileIdentity: [Weak]]>([:])

  private let connections: SQLiteConnections
  private let limits: SQLiteStateLimits
  private let state = Mutex(State())
  /// States are closed, and logs shortened, here: whoever saves or releases does not wait for it.
  let queue = DispatchQueue(label: "CoreData.SQLiteHeldStates")
  private let log: SQLiteLog
  private let isRestarting = Atomic(false)

  init(_ connections: SQLiteConnections, _ limits: SQLiteStateLimits) {
    self.connections = connections
    self.limits = limits
    log = SQLiteLog(connections)
    connections.whenLogIsLong { [weak self] in self?.logIsLong() }
  }

  // MARK: - States

  func reserveNumber() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  func register(_ snapshot: SQLiteSnapshot, _ number: Int) {
    let new = Held(snapshot: snapshot, began: .now, logSize: logSize)
    let isFirst = state.withLock { state in
      state.held[number] = new
      return state.held.count == 1
    }
    guard isFirst, let identity = connections.opened?.identity else { return }
    Self.holders.withLock { holders in
      if holders[identity, default: []].contains(where: { $0.states === self }) { return }
      holders[identity, default: []].append(Weak(states: self))
    }
  }

  /// Called when a state has been begun once more.
  func registerAnew(_ number: Int) {
    let size = logSize
    state.withLock { state in
      guard var held = state.held[number] else { return }
      held.logSize = size
      state.held[number] = held
    }
  }

  /// Called when nobody needs a state any more, and its connection is closed.
  func release(_ number: Int) {
    let isLast = state.withLock { $0.held.removeValue(forKey: number) != nil && $0.held.isEmpty }
    if isLast { wasEmptied() }
  }

  /// True when one state alone is held, and the log has outgrown the size that SQLite leaves it.
  func canBeginAnew() -> Bool {
    state.withLock { $0.held.count } == 1 && log.isLong
  }

  /// Brings the log into the file, as far as readers allow.
  func checkpoint() { _ = log.checkpoint() }

  private var logSize: Int { connections.opened?.logSize ?? 0 }

  private func wasEmptied() {
    // A state that has come in between is seen here, or enters this object into the list anew.
    if let identity = connections.opened?.identity {
      Self.holders.withLock { holders in
        holders[identity]?.removeAll { $0.states == nil || $0.states === self && isEmpty }
        if holders[identity]?.isEmpty == true { holders[identity] = nil }
      }
    }
    if log.isLong { queue.async { [weak self] in self?.shortenLog() } }
  }

  /// Called now and then, while the log is longer than SQLite leaves it.
  private func logIsLong() {
    if isRestarting.exchange(true, ordering: .relaxed) { return }
    queue.async { [weak self] in
      self?.log.restart()
      self?.isRestarting.store(false, ordering: .relaxed)
    }
  }

  /// True when a state of the file is held, by whatever coordinator of this process.
  static func isHeld(_ identity: FileIdentity) -> Bool {
    // Outside of the lock: the last reference to one may be let go of here.
    let found = holders.withLock { $0[identity] ?? [] }
    return found.contains { $0.states?.isEmpty == false }
  }

  private var isEmpty: Bool { state.withLock { $0.held.isEmpty } }

  private func shortenLog() { if isEmpty { log.shorten() } }

  // MARK: - Activity

  /// The number of states that are held, and the time since the oldest of them began.
  var activity: (count: Int, oldestAge: Duration?) {
    let began = state.withLock { $0.held.values.map(\.began) }
    return (began.count, began.min().map { $0.duration(to: .now) })
  }

  // MARK: - Bounds

  /// Called when a connection of this process has committed to a file: lets go of the states that
  /// have outlived a bound.
  static func fileWasWritten(_ identity: FileIdentity?) {
    guard let identity else { return }
    let found = holders.withLock { $0.isEmpty ? [] : $0[identity] ?? [] }
    for case let states? in found.map(\.states) { states.enforceLimits() }
  }

  private func enforceLimits() {
    if limits.growth == nil, limits.age == nil { return }
    let (size, now) = (logSize, ContinuousClock.now)
    // Copies of the entries leave the lock before a state is looked at: the last reference to one
    // may be let go of here, and its end takes the lock.
    let ended = state.withLock { state in
      state.sharedSize = min(state.sharedSize, size)
      let isTooLong = limits.growth.map { size - state.sharedSize > 2 * $0 } ?? false
      var ended: [(Held, Excess)] = []
      for (number, held) in state.held {
        let reason = excess(of: held, size, now) ?? (isTooLong ? Excess.succession(size) : nil)
        guard let reason else { continue }
        ended.append((held, reason))
        state.held[number] = nil
      }
      if isTooLong { state.sharedSize = size }
      return ended
    }
    if ended.isEmpty { return }
    let snapshots = ended.compactMap { held, excess in
      held.snapshot.map { snapshot in
        snapshot.end(error(excess))
        return snapshot
      }
    }
    // A read that is under way ends first.
    queue.async { for snapshot in snapshots { try? snapshot.close() } }
    if isEmpty { wasEmptied() }
  }

  private func excess(of held: Held, _ size: Int, _ now: ContinuousClock.Instant) -> Excess? {
    let (age, growth) = (held.began.duration(to: now), size - held.logSize)
    if let limit = limits.growth, growth > limit { return .growth(growth) }
    if let limit = limits.age, age > limit { return .age(age) }
    return nil
  }

  private func error(_ excess: Excess) -> any Error {
    let (what, option) =
      switch excess {
      case .age(let age):
        (
          "it has been pinned for \(age.components.seconds) seconds, of \(limits.age?.components.seconds ?? 0) at most",
          QueryGenerationAgeLimitOption
        )
      case .growth(let bytes):
        (
          """
          the store's write-ahead log has grown by \(bytes) bytes since it was pinned, of \(limits.growth ?? 0) at most
          """,
          QueryGenerationLogLimitOption
        )
      case .succession(let bytes):
        (
          """
          the store's write-ahead log has \(bytes) bytes, more than twice the limit of \(limits.growth ?? 0), because \
          query generations were pinned one after the other without a gap
          """,
          QueryGenerationLogLimitOption
        )
      }
    return StoreFailure.error(
      NSPersistentStoreOperationError,
      """
      The query generation of the store \(connections.file.path) was let go of: \(what). Pin the context anew by \
      setQueryGenerationFrom(.current), and refresh its objects; or open the store with another \(option).
      """,
      file: connections.file
    )
  }

  // MARK: - Closing

  /// Suspends the caller until nobody reads a state, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    let held = state.withLock { Array($0.held.values) }
    for case let snapshot? in held.map(\.snapshot) where snapshot.isRead {
      let wait = SuspendedWait<Void>()
      snapshot.whenIdle { wait.resume(with: .success(())) }
      let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
      defer { Deadlines.shared.remove(timer) }
      if (try? await wait.untilResumed()) == nil { return false }
    }
    return true
  }

  /// Ends the reads of states that are under way.
  func interrupt() {
    let held = state.withLock { Array($0.held.values) }
    for case let snapshot? in held.map(\.snapshot) { snapshot.interrupt() }
  }

  /// Lets go of all states. Whoever reads one gets an error then.
  ///
  /// - Throws: the first error of a connection; all of them are closed.
  func close() throws {
    let held = state.withLock { state in
      defer { state.held = [:] }
      return Array(state.held.values)
    }
    log.close()
    let outcomes = held.compactMap(\.snapshot).map { snapshot in Result { try snapshot.close() } }
    wasEmptied()
    for outcome in outcomes { try outcome.get() }
  }
}
