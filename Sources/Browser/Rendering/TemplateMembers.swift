import Mustache

/// The members of a context, in the form in which the template library looks them up.
///
/// The compiler writes `encode(to:)` of each context, which names every member and its value. The names therefore stand
/// only in the declaration. A reflection of the members takes ten times as long: 25 µs for a grid's cell instead of 3 µs.
struct TemplateMembers: MustacheParent {
  private let values: [String: Any]

  init(_ fields: some TemplateFields) {
    let encoder = MemberEncoder()
    do { try fields.encode(to: encoder) } catch { preconditionFailure("a context has no members: \(error)") }
    values = encoder.values
  }

  func child(named name: String) -> Any? { values[name] }
}

/// The context of a whole page: the page's own members, and those of the frame for all other names.
struct PageMembers: MustacheParent {
  let content: TemplateMembers
  let frame: TemplateMembers

  func child(named name: String) -> Any? { content.child(named: name) ?? frame.child(named: name) }
}
