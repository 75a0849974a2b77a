/// An object that answers messages of its own in `FUNCTION` expressions, where there is no
/// Objective-C to send them.
package protocol MessageReceiver: AnyObject {
  /// Answers a message.
  ///
  /// - Parameters:
  ///   - selector: the name with its colons.
  ///   - arguments: the values of the arguments; `nil` for null.
  /// - Throws: an error that names the selector when the object does not know it.
  func answer(_ selector: String, _ arguments: [Any?]) throws -> Any?
}
