import SwiftSyntax

/// Removes `Foundation.` before names that Core Data declares on this platform.
final class FoundationNameRule: PortingRule {
  /// The names that CoreData declares because Foundation does not have them, or only without function.
  static let names: Set = [
    "NSExpression", "NSComparisonPredicate", "ValueTransformer", "NSValueTransformerName",
    "NSSecureUnarchiveFromDataTransformer",
  ]

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "Foundation" {
      shorten(node, name: node.declName.baseName)
    }
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.baseType.trimmedDescription == "Foundation" { shorten(node, name: node.name) }
    return .visitChildren
  }

  private func shorten(_ node: some SyntaxProtocol, name: TokenSyntax) {
    guard Self.names.contains(name.text) else { return }
    report(
      node,
      reason: "\(name.text) is not Foundation's here, but CoreData's",
      edits: [SourceEdit(range: node.startOffset..<name.startOffset, replacement: "")]
    )
  }
}
