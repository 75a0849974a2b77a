import ArgumentParser
import CoreData
import Foundation

/// The options of commands that write a store, which limit the wait for other programs.
struct LockOptions: ParsableArguments {
  /// The longest wait of a store, in seconds: a day.
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
    // NaN fails both comparisons.
    guard lockTimeout >= 0, lockTimeout <= Self.longest else {
      throw ValidationError("--lock-timeout takes 0 to \(Int(Self.longest)) seconds, which is a day.")
    }
  }

  /// The options for the stores that a command opens.
  var storeOptions: [String: any Sendable] {
    lockTimeout.map { [NSPersistentStoreTimeoutOption: $0] } ?? [:]
  }

  /// The waits of a command for other programs that write its store.
  ///
  /// - Parameters:
  ///   - store: the store as the user named it.
  ///   - isQuiet: true when a wait is not to be reported.
  func wait(for store: StoreLocation, isQuiet: Bool = false) -> StoreWait {
    StoreWait(store: store, seconds: lockTimeout ?? NSPersistentStoreDescription().timeout, isQuiet: isQuiet)
  }

  private static var usual: Int { Int(NSPersistentStoreDescription().timeout) }
}
