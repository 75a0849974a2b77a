/// A state of a store that a query generation holds, on a connection of its own.
package protocol PinnedSnapshot: StoreReader {
  /// True while a reader uses the state.
  var isRead: Bool { get }

  /// Makes all later reads of the state throw an error. The current read is not affected.
  func end(_ reason: any Error)

  /// Calls back when the current reads have ended.
  func whenIdle(_ action: @escaping @Sendable () -> Void)

  /// Interrupts the current read in the middle of a statement, and refuses later ones.
  func interrupt()

  /// Releases the state after the current read. Later reads throw an error.
  func close() throws
}
