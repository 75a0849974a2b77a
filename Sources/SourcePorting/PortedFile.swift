/// A file before and after.
package struct PortedFile: Sendable {
  package let path: String
  package let original: String
  /// The text that compiles on both sides, as far as it can be done; the original text where
  /// nothing has to change.
  package let text: String
  /// The changes that were made, by their place in the original text.
  package let rewrites: [PortingFinding]
  /// The changes that have to be made by hand, by their place in the new text.
  package let leftovers: [PortingFinding]

  package var isChanged: Bool { text != original }
}
