import CoreData
import Foundation
import Seeding
import Synchronization

/// The waits of a command for other programs that write its store: a message on standard error when a wait
/// takes long, and a failure with the remedy when it times out.
struct StoreWait {
  /// The store as the user named it.
  let store: StoreLocation
  /// The timeout.
  let seconds: Double
  /// True when only the failure is to be reported.
  let isQuiet: Bool

  /// Does a command's work, and translates a timeout.
  ///
  /// - Throws: a `CommandFailure` instead of Core Data's error for a timeout.
  func during(_ work: () throws -> Void) throws {
    do {
      try telling(work)
    } catch {
      guard let timeout = Self.timeout(in: error), Self.isOfLock(timeout) else { throw error }
      let path = timeout.userInfo[NSFilePathErrorKey] as? String
      throw CommandFailure(file: path.map(shown) ?? store.description, problem: problem, remedy: remedy)
    }
  }

  /// Core Data's error for a timeout, which may be the underlying error of another one.
  static func timeout(in error: any Error) -> NSError? {
    if let failure = error as? CommandFailure { return failure.cause.flatMap(timeout) }
    if let error = error as? SeedError { return error.underlyingError.flatMap(timeout) }
    let error = error as NSError
    if error.domain == NSCocoaErrorDomain, error.code == NSPersistentStoreTimeoutError { return error }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(timeout)
  }

  /// False when a server's error code shows that the timeout had another reason than a lock.
  private static func isOfLock(_ timeout: NSError) -> Bool {
    let state = timeout.userInfo["PostgreSQLState"] as? String
    return state == nil || state == "55P03"
  }

  private var problem: String {
    seconds == 0 ? "another program holds its lock" : "another program has held its lock for \(words)"
  }

  private var remedy: String { "try again, or wait \(seconds == 0 ? "for it" : "longer") with --lock-timeout SECONDS" }

  /// The time for messages: `5 seconds`, `0.5 seconds`, `1 second`.
  private var words: String {
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return seconds == 1 ? "1 second" : "\(number) seconds"
  }

  /// A path as the user wrote it.
  private func shown(_ path: String) -> String {
    let (one, other) = (URL(fileURLWithPath: path), store.url)
    if store.isOnServer { return store.description }
    return one.resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
      ? store.description : path
  }

  #if canImport(Darwin)
    // Apple's framework does not report its waits.
    private func telling(_ work: () throws -> Void) throws { try work() }
  #else
    /// Reports once for each store that it waits, after the first second of the wait.
    private func telling(_ work: () throws -> Void) throws {
      if isQuiet { return try work() }
      let told = ReportedPaths()
      try StoreWaits.reporting(to: { path in if told.add(path) { tell(path) } }, work)
    }

    private func tell(_ path: String) {
      // The line of a terminal may show a progress bar.
      let clearing = Terminal.canRedraw(STDERR_FILENO) ? "\r\u{1B}[K" : ""
      try? FileHandle.standardError.write(contentsOf: Data(clearing.utf8))
      warn("waiting for another program that writes \(shown(path)) …")
    }
  #endif
}

/// The paths that were reported.
private final class ReportedPaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// - Returns: false for a path that was added before.
  func add(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
