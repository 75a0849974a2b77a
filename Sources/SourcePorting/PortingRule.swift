/// One kind of source that compiles on Apple's platforms only, and what becomes of it.
protocol PortingRule: Sendable {
  /// The changes that the rule finds in a file.
  ///
  /// Applied to its own result a rule finds nothing to edit. Edits of different rules do not
  /// overlap.
  ///
  /// - Parameter index: the declarations in all files that are ported together.
  static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange]
}

/// Something in a file that compiles on Apple's platforms only.
struct PortingChange: Hashable {
  /// The place of it, in bytes of UTF-8.
  var offset: Int
  /// The text that says what it is, and what to do where there are no edits.
  var reason: String
  /// The edits that make it compile on both sides; empty when that takes a decision.
  var edits: [SourceEdit] = []
  /// The statement that has to be written a second time where there is no Objective-C, since Swift
  /// allows no condition in the middle.
  var alternative: StatementAlternative?
  /// The move of a member into another declaration, with the edits in it.
  var move: MemberMove?

  /// True when the change is made, and not only listed.
  var isRewrite: Bool { !edits.isEmpty || alternative != nil || move != nil }
}

/// A piece of a file and the text that takes its place.
struct SourceEdit: Hashable {
  /// In bytes of UTF-8; empty for an insertion.
  var range: Range<Int>
  var replacement: String
}
