import Dispatch
import Files
import Foundation
import SQLiteDriver
import Synchronization

/// The states of a SQLite store that query generations hold. It limits them, and restarts the log
/// when the last one is released.
///
/// SQLite restarts its log from the beginning, and shortens it, as soon as all of it has been copied into the file and
/// no connection reads it: <https://www.sqlite.org/wal.html#checkpointing>. A held state prevents both. The limits are
/// checked after each commit of this process, so that no timer is needed.
final class SQLitePinnedSnapshots: Sendable {
  /// As in Apple's framework, a generation lives as long as it is pinned: neither its age nor the
  /// number of others ends it, because these cost nothing. A program that pins contexts for its
  /// views hardly reaches the limit on growth, and a server's disk can spare this size.
  static let standardLimits = StateLimits(growth: 512 << 20)

  private struct Weak: Sendable {
    weak var states: SQLitePinnedSnapshots?
  }

  /// Those of this process that hold a state, by their file.
  private static let holders = Mutex<[FileIdentity: [Weak]]>([:])

  private let connections: SQLiteConnections
  private let limits: StateLimits
  /// The mark of a state is the size of the log when it was begun.
  private let states = PinnedSnapshots<SQLiteSnapshot, Int>(label: "CoreData.SQLitePinnedSnapshots")
  /// The size of the log when all states were released. Later states did not cause it.
  private let sharedSize = Mutex(0)
  /// The queue on which states are closed and logs are shortened, so that saving or releasing does not wait for it.
  var queue: DispatchQueue { states.queue }
  private let log: SQLiteLog
  private let isRestarting = Atomic(false)

  init(connections: SQLiteConnections, limits: StateLimits) {
    self.connections = connections
    self.limits = limits
    log = SQLiteLog(connections)
    connections.whenLogIsLong { [weak self] in self?.logIsLong() }
  }

  // MARK: - States

  func reserveNumber() -> Int { states.reserveNumber() }

  func register(_ snapshot: SQLiteSnapshot, number: Int) {
    let isFirst = states.register(snapshot, number: number, mark: logSize)
    if let count = limits.count { states.endOldest(beyond: count, reason: error(.count)) }
    guard isFirst, let identity = connections.opened?.identity else { return }
    Self.holders.withLock { holders in
      if holders[identity, default: []].contains(where: { $0.states === self }) { return }
      holders[identity, default: []].append(Weak(states: self))
    }
  }

  /// Called when a state has been begun again.
  func registerAnew(_ number: Int) { states.setMark(logSize, of: number) }

  /// Called when a state's last user releases it, and its connection is closed.
  func release(_ number: Int) { if states.release(number).isLast { wasEmptied() } }

  /// True when only one state is held, and the log is longer than the size that SQLite leaves.
  func canBeginAnew() -> Bool { states.count == 1 && log.isLong }

  /// Brings the log into the file, as far as readers allow.
  func checkpoint() { _ = log.checkpoint() }

  private var logSize: Int { connections.opened?.logSize ?? 0 }

  private func wasEmptied() {
    // A state that was added in the meantime is seen here, or adds this object to the list again.
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
    // This runs outside of the lock, because the last reference to one may be released here.
    let found = holders.withLock { $0[identity] ?? [] }
    return found.contains { $0.states?.isEmpty == false }
  }

  private var isEmpty: Bool { states.isEmpty }

  private func shortenLog() { if isEmpty { log.shorten() } }

  // MARK: - Activity

  /// The number of states that are held, and the time since the oldest of them began.
  var activity: (count: Int, oldestAge: Duration?) { states.activity }

  // MARK: - Bounds

  /// Called when a connection of this process has committed to a file. Releases the states that have exceeded a limit.
  static func fileWasWritten(_ identity: FileIdentity?) {
    guard let identity else { return }
    let found = holders.withLock { $0.isEmpty ? [] : $0[identity] ?? [] }
    for case let states? in found.map(\.states) { states.enforceLimits() }
  }

  private func enforceLimits() {
    if limits.growth == nil, limits.age == nil { return }
    let (size, now) = (logSize, ContinuousClock.now)
    let isTooLong = sharedSize.withLock { shared in
      shared = min(shared, size)
      let isTooLong = limits.growth.map { size - shared > 2 * $0 } ?? false
      if isTooLong { shared = size }
      return isTooLong
    }
    let ended = states.end { held in
      let excess = excess(of: held, size: size, now: now) ?? (isTooLong ? StateExcess.succession(size) : nil)
      return excess.map(error)
    }
    if !ended.isEmpty, isEmpty { wasEmptied() }
  }

  private func excess(
    of held: PinnedSnapshots<SQLiteSnapshot, Int>.Held,
    size: Int,
    now: ContinuousClock.Instant
  ) -> StateExcess? {
    let (age, growth) = (held.began.duration(to: now), size - held.mark)
    if let limit = limits.growth, growth > limit { return .growth(growth) }
    if let limit = limits.age, age > limit { return .age(age) }
    return nil
  }

  private func error(_ excess: StateExcess) -> any Error {
    excess.error(of: connections.file.path, at: connections.file, limits: limits)
  }

  // MARK: - Closing

  /// Suspends the caller until no reader uses a state, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    await states.drain(until: deadline)
  }

  /// Ends the reads of states that are under way.
  func interrupt() { states.interrupt() }

  /// Releases all states. Later reads throw an error.
  ///
  /// - Throws: the first error of a connection; all of them are closed.
  func close() throws {
    log.close()
    let outcomes = states.close().outcomes
    wasEmptied()
    for outcome in outcomes { try outcome.get() }
  }
}
