/// Something in a file that compiles on Apple's platforms only.
struct PortingChange: Hashable {
  /// Where it is, in bytes of UTF-8.
  var offset: Int
  /// What it is, and what to do where there are no edits.
  var reason: String
  /// What makes it compile on both sides; empty when that takes a decision.
  var edits: [SourceEdit] = []
  /// What takes a statement of its own where there is no Objective-C, since Swift allows no condition in the middle.
  var alternative: StatementAlternative?
  /// What becomes a member of another declaration, with the edits in it.
  var move: MemberMove?

  /// Whether the change is made, and not only listed.
  var isRewrite: Bool { !edits.isEmpty || alternative != nil || move != nil }
}
