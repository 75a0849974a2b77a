import CoreData
import Foundation
import Seeding
import Synchronization

/// The waits of a command for others that write its store: a word on standard error when one takes
/// long, and a failure with the remedy when its time is up.
struct StoreWait {
  /// The store as the command was given it.
  let store: StoreLocation
  /// The time after which the command gives up.
  let seconds: Double
  /// True when nothing is to be said but the failure.
  let isQuiet: Bool

  /// Does a command's work.
  ///
  /// - Throws: a `CommandFailure` in place of an error that says that the time was up.
  func during(_ work: () throws -> Void) throws {
    do {
      try telling(work)
    } catch {
      guard let timeout = Self.timeout(in: error), Self.isOfLock(timeout) else { throw error }
      let path = timeout.userInfo[NSFilePathErrorKey] as? String
      throw CommandFailure(file: path.map(shown) ?? store.description, problem: problem, remedy: remedy)
    }
  }

  /// Core Data's error that a store has waited in vain, where it is at the bottom of another one.
  static func timeout(in error: any Error) -> NSError? {
    if let failure = error as? CommandFailure { return failure.cause.flatMap(timeout) }
    if let error = error as? SeedError { return error.underlyingError.flatMap(timeout) }
    let error = error as NSError
    if error.domain == NSCocoaErrorDomain, error.code == NSPersistentStoreTimeoutError { return error }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(timeout)
  }

  /// False where a server has not answered in time for another reason than a lock, which its error says.
  private static func isOfLock(_ timeout: NSError) -> Bool {
    let state = timeout.userInfo["PostgreSQLState"] as? String
    return state == nil || state == "55P03"
  }

  private var problem: String {
    seconds == 0 ? "another program holds its lock" : "another program has held its lock for \(words)"
  }

  private var remedy: String {
    "try again, or wait \(seconds == 0 ? "for it" : "longer") with --lock-timeout SECONDS"
  }

  /// `5 seconds`, `0.5 seconds`, `1 second`
  private var words: String {
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return seconds == 1 ? "1 second" : "\(number) seconds"
  }

  /// A path as the command was given it.
  private func shown(_ path: String) -> String {
    let (one, other) = (URL(fileURLWithPath: path), store.url)
    if store.isOnServer { return store.description }
    return one.resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
      ? store.description : path
  }

  #if canImport(Darwin)
    // Apple's framework tells nobody that it waits.
    private func telling(_ work: () throws -> Void) throws { try work() }
  #else
    /// Says once of each store that it waits, as soon as it has done so for a second.
    private func telling(_ work: () throws -> Void) throws {
      if isQuiet { return try work() }
      let told = ToldPaths()
      try StoreWaits.reporting(to: { path in if told.add(path) { tell(path) } }, work)
    }

    private func tell(_ path: String) {
      // On a terminal there may be a bar in the line.
      let clearing = Terminal.canRedraw(STDERR_FILENO) ? "\r\u{1B}[K" : ""
      try? FileHandle.standardError.write(contentsOf: Data(clearing.utf8))
      warn("waiting for another program that writes \(shown(path)) …")
    }
  #endif
}

/// The paths of which something was said.
private final class ToldPaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// - Returns: false for one that was added before.
  func add(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
