import SwiftSyntax

/// Adds a timeout to `wait(for: [expectation])` and `fulfillment(of: [expectation])`, which require one
/// here. The timeout is the time that Xcode allows for a test.
final class ExpectationRule: PortingRule {
  private static let labels = ["wait": "for", "fulfillment": "of"]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let label = node.calledExpression.nameOfTestMethod.flatMap({ Self.labels[$0] }),
      let first = node.arguments.first, first.label?.text == label,
      first.expression.is(ArrayExprSyntax.self),
      node.arguments.dropFirst().allSatisfy({ $0.label?.text == "enforceOrder" })
    else { return .visitChildren }
    let end = first.expression.endOffset
    report(
      node,
      reason: "a test has to say how long it waits",
      edits: [SourceEdit(range: end..<end, replacement: ", timeout: 600")]
    )
    return .visitChildren
  }
}

extension ExprSyntax {
  /// The name of the method, if it is called on the test itself or on a waiter class.
  fileprivate var nameOfTestMethod: String? {
    if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
    guard let member = self.as(MemberAccessExprSyntax.self),
      let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text,
      ["self", "XCTWaiter"].contains(base)
    else { return nil }
    return member.declName.baseName.text
  }
}
