/// A piece of a file and the text that takes its place.
struct SourceEdit: Hashable {
  /// In bytes of UTF-8; empty for an insertion.
  var range: Range<Int>
  var replacement: String
}
