/// Reports which stores wait for another connection's write lock.
package enum StoreWaits {
  /// Does some work, and reports the waits of the process's stores meanwhile.
  ///
  /// - Parameters:
  ///   - place: a text that the paths of the stores contain, such as their folder; `nil` for all stores.
  ///   - hear: called with the path of a store that has waited for another connection for a second,
  ///     once for each wait, on the thread that waits. It must not use the store.
  package static func reporting<Value>(
    in place: String? = nil,
    to hear: @escaping @Sendable (_ store: String) -> Void,
    _ work: () throws -> Value
  ) rethrows -> Value {
    let registration = StoreObservers.add(StoreObserver(waiting: hear), in: place)
    defer { StoreObservers.remove(registration) }
    return try work()
  }
}
