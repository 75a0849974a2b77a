import Foundation

/// The setting that has every use of a context and its objects outside of its queue stop the
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

extension NSManagedObjectContext {
  /// Stops the program when the caller is not on the context's queue and confinement is being
  /// debugged.
  @inline(__always)
  final func checkConfinement(_ function: StaticString = #function) {
    if isGuarded { failUnlessHeld("\(function)", nil) }
  }

  @inline(never)
  fileprivate final func failUnlessHeld(_ function: String?, _ object: NSManagedObject?) {
    if queue.isHeldHere { return }
    let kind = concurrencyType == .mainQueueConcurrencyType ? "main queue" : "queue of its own"
    let name = name.map { " \"\($0)\"" } ?? ""
    let access = object.map { "the object \($0.describeIdentity())" } ?? function ?? ""
    fatalError(
      """
      the context\(name) belongs to the \(kind), and \(access) was used outside of it; use the context and its \
      objects inside of context.perform or performAndWait, and pass objects on by their objectID.
      """
    )
  }
}

extension NSManagedObject {
  /// Stops the program when the caller is not on the queue of the object's context and confinement
  /// is being debugged.
  final func checkConfinement() {
    if state.contains(.guarded) { registry.context?.failUnlessHeld(nil, self) }
  }
}
