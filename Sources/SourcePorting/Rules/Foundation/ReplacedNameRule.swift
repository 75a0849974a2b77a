import SwiftSyntax

/// Replaces names that only Apple's Foundation has by names that Foundation has on all platforms.
final class ReplacedNameRule: NameRule {
  private static let replacements = ["MAXFLOAT": "Float.greatestFiniteMagnitude"]

  override func look(at name: TokenSyntax) {
    guard let replacement = Self.replacements[name.text] else { return }
    replace(name, by: replacement, reason: "\(name.text) is not there")
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "ProcessInfo",
      node.arguments.isEmpty, node.trailingClosure == nil
    {
      replace(
        node,
        by: "ProcessInfo.processInfo",
        reason: "no other ProcessInfo can be made than the one of the process"
      )
    }
    return .visitChildren
  }

  private func replace(_ node: some SyntaxProtocol, by replacement: String, reason: String) {
    report(
      node,
      reason: reason,
      edits: [SourceEdit(range: node.startOffset..<node.endOffset, replacement: replacement)]
    )
  }
}
