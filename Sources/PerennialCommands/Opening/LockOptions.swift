import ArgumentParser
import CoreData
import Foundation

/// The options of commands that write a store, for the time that they wait for other programs.
struct LockOptions: ParsableArguments {
  /// A day, which is the longest that a store waits.
  private static let longest: Double = 86_400

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The seconds to wait for another program that writes the store, 0 to give up at once; \(LockOptions.usual) without it.
      """,
      valueName: "seconds"
    )
  )
  var lockTimeout: Double?

  func validate() throws {
    guard let lockTimeout else { return }
    // Nothing compares with what is no number.
    guard lockTimeout >= 0, lockTimeout <= Self.longest else {
      throw ValidationError("--lock-timeout takes 0 to \(Int(Self.longest)) seconds, which is a day.")
    }
  }

  /// The options of the stores that a command opens.
  var storeOptions: [String: any Sendable] {
    lockTimeout.map { [NSPersistentStoreTimeoutOption: $0] } ?? [:]
  }

  /// The waits of a command for others that write its store.
  ///
  /// - Parameters:
  ///   - store: the store as the command was given it.
  ///   - isQuiet: true when nothing is to be said of a wait.
  func wait(for store: StoreLocation, isQuiet: Bool = false) -> StoreWait {
    StoreWait(
      store: store,
      seconds: lockTimeout ?? NSPersistentStoreDescription().timeout,
      isQuiet: isQuiet
    )
  }

  private static var usual: Int { Int(NSPersistentStoreDescription().timeout) }
}
