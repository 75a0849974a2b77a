/// A place in a file, and what there is to say about it.
package struct PortingFinding: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in bytes of UTF-8.
  package var column: Int
  package var reason: String

  /// `file:line:column: reason`
  package var description: String { "\(file):\(line):\(column): \(reason)" }
}
