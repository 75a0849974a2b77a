/// A file before and after.
package struct PortedFile: Sendable {
  package let path: String
  package let original: String
  /// What compiles on both sides, as far as it can be done; the original text where nothing has to change.
  package let text: String
  /// What changed, by its place in the original text.
  package let rewrites: [PortingFinding]
  /// What has to be done by hand, by its place in the new text.
  package let leftovers: [PortingFinding]

  package var isChanged: Bool { text != original }
}
