import SwiftSyntax

/// Adds `AnyObject` to a protocol that `@objc` limits to classes, so that the limit holds without `@objc`.
final class ObjectiveCProtocolRule: PortingRule {
  private static let classBounds: Set = ["AnyObject", "class", "NSObjectProtocol"]

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    let isObjectiveC = node.attributes.contains(named: "objc")
    let inherited = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    if isObjectiveC, !inherited.contains(where: Self.classBounds.contains) { addClassBound(node) }
    return .visitChildren
  }

  private func addClassBound(_ node: ProtocolDeclSyntax) {
    let edit: SourceEdit
    if let first = node.inheritanceClause?.inheritedTypes.first {
      edit = SourceEdit(range: first.startOffset..<first.startOffset, replacement: "AnyObject, ")
    } else {
      edit = SourceEdit(range: node.name.endOffset..<node.name.endOffset, replacement: ": AnyObject")
    }
    report(node.name, reason: "without @objc the protocol is for classes only when it says AnyObject", edits: [edit])
  }
}
