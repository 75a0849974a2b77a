/// Something in a file that compiles on Apple's platforms only.
struct PortingChange: Hashable {
  /// Where it is, in bytes of UTF-8.
  var offset: Int
  /// What it is, and what to do where there are no edits.
  var reason: String
  /// What makes it compile on both sides; empty when that takes a decision.
  var edits: [SourceEdit] = []
}
