import Foundation

/// The reaction when a context or one of its objects is used outside of the context's queue.
///
/// `-com.apple.CoreData.ConcurrencyDebug 1` in the program's arguments, as on Apple's platforms, or
/// `COREDATA_CONCURRENCY_DEBUG=1` in its environment stops the program there; `log` instead of 1
/// logs the fault, and 0 switches the check off. Without any of these settings, a debug build logs.
enum ConcurrencyDebug {
  enum Mode: Equatable {
    case off
    /// Uses that may be concurrent with other uses are logged, once for each place in the code.
    case log
    /// Each use outside of the queue stops the program.
    case stop

    /// A variable of the environment counts before the arguments.
    init(arguments: [String], variable: String?, isDebugBuild: Bool) {
      if let variable {
        self.init(word: variable)
      } else if let index = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug"),
        index + 1 < arguments.count
      {
        self.init(word: arguments[index + 1])
      } else {
        self = isDebugBuild ? .log : .off
      }
    }

    private init(word: String) {
      switch word.lowercased() {
      case "1", "2", "3", "yes", "true": self = .stop
      case "log": self = .log
      default: self = .off
      }
    }
  }

  static let mode = Mode(
    arguments: ProcessInfo.processInfo.arguments,
    variable: ProcessInfo.processInfo.environment["COREDATA_CONCURRENCY_DEBUG"],
    isDebugBuild: isDebugBuild
  )

  /// SwiftPM defines DEBUG for all modules of a debug build, including those of other packages.
  private static var isDebugBuild: Bool {
    #if DEBUG
      return true
    #else
      return false
    #endif
  }
}
