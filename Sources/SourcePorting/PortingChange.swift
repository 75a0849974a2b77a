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
