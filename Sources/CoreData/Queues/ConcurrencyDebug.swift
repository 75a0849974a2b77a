import Foundation

/// The switch by which every use of a context and its objects outside of its queue stops the
/// program.
///
/// Switched on for the whole program by `-com.apple.CoreData.ConcurrencyDebug 1` in its arguments,
/// as on Apple's platforms, or by `COREDATA_CONCURRENCY_DEBUG=1` in its environment.
enum ConcurrencyDebug {
  static let isOn = isAskedFor(
    by: ProcessInfo.processInfo.arguments,
    or: ProcessInfo.processInfo.environment["COREDATA_CONCURRENCY_DEBUG"]
  )

  static func isAskedFor(by arguments: [String], or variable: String?) -> Bool {
    if let variable { return isYes(variable) }
    guard let index = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug") else { return false }
    return index + 1 < arguments.count && isYes(arguments[index + 1])
  }

  private static func isYes(_ text: String) -> Bool {
    ["1", "2", "3", "yes", "true"].contains(text.lowercased())
  }
}
