import SwiftSyntax

/// Wraps `@objc`, `@objcMembers` and `@nonobjc` in `#if canImport(ObjectiveC)`. Swift allows this around
/// attributes of every kind of declaration except accessors.
final class ObjectiveCAttributeRule: PortingRule {
  private static let names: Set = ["objc", "objcMembers", "nonobjc"]

  override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    // Another rule writes the whole requirement twice.
    if node.parent?.as(FunctionDeclSyntax.self).flatMap(OptionalRequirement.init) != nil { return .skipChildren }
    var group: [AttributeSyntax] = []
    for element in node {
      if case .attribute(let attribute) = element,
        Self.names.contains(attribute.attributeName.trimmedDescription)
      {
        group.append(attribute)
      } else {
        wrap(group)
        group = []
      }
    }
    wrap(group)
    if node.containsObjectiveC { reportOverridable(node) }
    return .visitChildren
  }

  /// Wraps consecutive attributes. `#if` and `#endif` must be on lines of their own.
  private func wrap(_ group: [AttributeSyntax]) {
    guard let first = group.first, let last = group.last else { return }
    if first.parent?.parent?.is(AccessorDeclSyntax.self) == true {
      return report(
        first,
        reason: """
          an accessor's attribute cannot be in #if; name the property with @objc, or write it twice, in \
          #if canImport(ObjectiveC) and #else
          """
      )
    }
    let (start, end) = (first.startOffset, last.endOffset)
    let line = file.newline + file.indentation(start)
    let opening =
      file.beginsLine(start)
      ? SourceEdit(range: start..<start, replacement: "#if canImport(ObjectiveC)\(line)")
      : SourceEdit(
        range: file.startOfSpaces(before: start)..<start,
        replacement: "\(line)#if canImport(ObjectiveC)\(line)"
      )
    let closing =
      file.endsLine(end)
      ? SourceEdit(range: end..<end, replacement: "\(line)#endif")
      : SourceEdit(range: end..<file.endOfSpaces(from: end), replacement: "\(line)#endif\(line)")
    let written = group.map { "@\($0.attributeName.trimmedDescription)" }.joined(separator: " ")
    report(first, reason: "\(written) goes into #if canImport(ObjectiveC)", edits: [opening, closing])
  }

  private func reportOverridable(_ attributes: AttributeListSyntax) {
    guard let declaration = attributes.parent?.asProtocol((any WithModifiersSyntax).self),
      declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.open) }),
      declaration.enclosingDeclaration?.is(ExtensionDeclSyntax.self) == true
    else { return }
    report(
      attributes,
      reason: """
        subclasses cannot override a member of an extension without Objective-C; move it into the class, or make it \
        public
        """
    )
  }
}

extension AttributeListSyntax {
  /// True when `@objc` is among the attributes, even if `#if` is around it.
  var containsObjectiveC: Bool {
    contains { element in
      switch element {
      case .attribute(let attribute): return attribute.attributeName.trimmedDescription == "objc"
      case .ifConfigDecl(let conditional):
        return conditional.clauses.contains { clause in
          guard case .attributes(let list)? = clause.elements else { return false }
          return list.containsObjectiveC
        }
      }
    }
  }
}
