/// The word that each form of this server has, and that a page of somebody else cannot know: nobody else can read
/// our pages, since the server allows no other origin to, and answers under its own names alone.
///
/// It lives as long as the process. Nobody signs in here, so that it need not be told apart by person.
package struct FormToken: Sendable {
  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<4).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
  }

  /// Compares in a time that does not depend on where the two differ.
  package func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
