/// A piece of code in a file that compiles only on Apple's platforms.
struct PortingChange: Hashable {
  /// The offset of the code, in bytes of UTF-8.
  var offset: Int
  /// The description of the code, with the remedy if there are no edits.
  var reason: String
  /// The edits that make the code compile on all platforms; empty when an author has to decide.
  var edits: [SourceEdit] = []
  /// The statement that must be written a second time for platforms without Objective-C, because Swift
  /// does not allow `#if` inside it.
  var alternative: StatementAlternative?
  /// The move of a member into another declaration, including the edits inside the member.
  var move: MemberMove?

  /// True when the tool makes the change instead of only listing it.
  var isRewrite: Bool { !edits.isEmpty || alternative != nil || move != nil }
}

/// A range of a file and the text that replaces it.
struct SourceEdit: Hashable {
  /// The range in bytes of UTF-8; empty for an insertion.
  var range: Range<Int>
  var replacement: String
}
