/// A secret in each form of this server. Pages of other sites cannot know it, because the server does not
/// allow other origins to read its pages, and answers only under its own host names.
///
/// It lives as long as the process. There is no sign-in, so all users share it.
package struct FormToken: Sendable {
  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<4).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
  }

  /// Compares in a time that does not depend on the position of a difference.
  package func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
