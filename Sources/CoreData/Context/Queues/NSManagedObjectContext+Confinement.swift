import Foundation

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
