@testable import Browser

/// Holds the tags of templates against the members of the contexts that render them.
struct TemplateCheck {
  /// The text of each template by its name.
  let sources: [String: String]
  /// The templates that a context renders, with those that they include.
  private(set) var visited: Set<String> = []
  /// The tags that no member has a value for, or whose member has another kind of value or may be absent.
  private(set) var wrongTags: [String] = []
  private var contexts: [ObjectIdentifier: any TemplateFields.Type] = [:]
  private var used: [ObjectIdentifier: Set<String>] = [:]

  init(sources: [String: String]) { self.sources = sources }

  /// The members that no template has a tag for.
  var unusedMembers: [String] {
    contexts.flatMap { id, context in
      ContextMember.members(of: context).map(\.name).filter { used[id]?.contains($0) != true }
        .map { "\(context).\($0)" }
    }
    .sorted()
  }

  /// Checks a template.
  ///
  /// - Parameter contexts: the contexts of the template; names are looked up in the last one first.
  mutating func check(_ template: String, contexts: [any TemplateFields.Type]) {
    for context in contexts { self.contexts[ObjectIdentifier(context)] = context }
    read(template, scopes: contexts.map { $0 })
  }

  /// The type of a tag's value, and the member that has the value.
  private struct Found {
    let type: Any.Type
    /// The context and the name of the member; `nil` for the value of a section itself.
    var member: String?
    var isOptional = false
  }

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - scopes: the types of the values that names are looked up in, the innermost last.
  ///   - present: the members that have a value, because the template is included in their sections.
  private mutating func read(_ template: String, scopes: [Any.Type], present: [String?] = []) {
    guard let text = sources[template] else {
      wrongTags.append("\(template): there is no such template")
      return
    }
    visited.insert(template)
    var (scopes, present) = (scopes, present)
    // The open sections, each with the number of scopes outside of it.
    var sections: [(name: String, outside: Int)] = []
    for match in text.matches(of: /{{([#^\/>{]?)\s*([^}\s]+)\s*}}/) {
      let (kind, name) = (match.output.1, String(match.output.2))
      switch kind {
      case ">": read(name, scopes: scopes, present: present)
      case "/":
        let section = sections.popLast()
        if section?.name != name { wrongTags.append("\(template): /\(name) ends another section") }
        if section != nil { present.removeLast() }
        scopes.removeLast(scopes.count - (section?.outside ?? scopes.count))
      case "#", "^":
        sections.append((name, scopes.count))
        // The transform empty(list) is true for a list without elements. The section does not open a scope.
        let list = name.wholeMatch(of: /empty\((\w+)\)/).map { String($0.output.1) }
        let found = find(list ?? name, template: template, scopes: scopes)
        if list == nil, kind == "#", let type = found?.type, type != Bool.self { scopes.append(type) }
        present.append(kind == "#" ? found?.member : nil)
      default:
        guard let found = find(name, template: template, scopes: scopes) else { continue }
        if !Self.isText(found.type) { wrongTags.append("\(template): \(name) is not a text") }
        if found.isOptional, !present.contains(found.member) {
          wrongTags.append("\(template): \(name) may be absent, and is printed outside of its section")
        }
      }
    }
    if !sections.isEmpty { wrongTags.append("\(template): the section \(sections.map(\.name)) has no end") }
  }

  /// Returns the member that a tag names, and marks it as used.
  private mutating func find(_ name: String, template: String, scopes: [Any.Type]) -> Found? {
    if name == "." { return scopes.last.map { Found(type: $0) } }
    for case let context as any TemplateFields.Type in scopes.reversed() {
      guard let member = ContextMember.members(of: context).first(where: { $0.name == name }) else {
        continue
      }
      let id = ObjectIdentifier(context)
      contexts[id] = context
      used[id, default: []].insert(name)
      if let inner = member.type as? any TemplateFields.Type { contexts[ObjectIdentifier(inner)] = inner }
      return Found(type: member.type, member: "\(context).\(name)", isOptional: member.isOptional)
    }
    wrongTags.append("\(template): \(name) is not a member of \(scopes)")
    return nil
  }

  private static func isText(_ type: Any.Type) -> Bool { type == String.self || type == EscapedText.self }
}
