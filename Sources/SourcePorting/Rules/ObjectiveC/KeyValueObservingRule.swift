import SwiftSyntax

/// Lists uses of key-value observing, which needs the Objective-C runtime.
final class KeyValueObservingRule: PortingRule {
  private static let reason = """
    nothing observes properties without Objective-C; use didSet or notifications, or wrap it in \
    #if canImport(ObjectiveC)
    """

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return .visitChildren }
    let first = node.arguments.first
    let observesKeyPath =
      member.declName.baseName.text == "observe" && first?.label == nil
      && first?.expression.is(KeyPathExprSyntax.self) == true
    let addsObserver =
      ["addObserver", "removeObserver"].contains(member.declName.baseName.text)
      && node.arguments.contains { $0.label?.text == "forKeyPath" }
    if observesKeyPath || addsObserver { report(member.declName, reason: Self.reason) }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "observeValue",
      node.signature.parameterClause.parameters.first?.firstName.text == "forKeyPath"
    {
      report(node.name, reason: Self.reason)
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "NSKeyValueObservation" { report(node, reason: Self.reason) }
    return .visitChildren
  }
}
