import SwiftSyntax

/// Visits the names that stand for what other modules declare: of types, and of functions and
/// values that are no members.
class NameVisitor: PortingVisitor {
  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    // A member of that name is another's.
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id { look(at: node.baseName) }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.name)
    return .visitChildren
  }

  /// Called for each of the names.
  func look(at name: TokenSyntax) {}
}
