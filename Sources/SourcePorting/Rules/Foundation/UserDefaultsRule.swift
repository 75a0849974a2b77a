import SwiftSyntax

/// Reads and writes user defaults with their own methods, because key-value coding needs the Objective-C runtime.
final class UserDefaultsRule: PortingRule {
  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
      base.isUserDefaults || base.variableName.map({ index.isUserDefaults($0, in: file) }) == true
    else { return .visitChildren }
    let labels = node.arguments.map { $0.label?.text }
    switch (member.declName.baseName.text, labels) {
    case ("value", ["forKey"]): rename(member, to: "object")
    case ("setValue", [nil, "forKey"]): rename(member, to: "set")
    default: break
    }
    return .visitChildren
  }

  private func rename(_ member: MemberAccessExprSyntax, to name: String) {
    let token = member.declName.baseName
    report(
      token,
      reason: "\(token.text) of user defaults is key-value coding, which is not there",
      edits: [SourceEdit(range: token.startOffset..<token.endOffset, replacement: name)]
    )
  }
}

extension ExprSyntax {
  /// The name of a variable or a property that the expression reads: `defaults`, `self.defaults`, `defaults?`.
  fileprivate var variableName: String? {
    if let unwrapped = self.as(ForceUnwrapExprSyntax.self) { return unwrapped.expression.variableName }
    if let chained = self.as(OptionalChainingExprSyntax.self) { return chained.expression.variableName }
    if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.plainName }
    guard let member = self.as(MemberAccessExprSyntax.self), member.base != nil else { return nil }
    return member.declName.baseName.plainName
  }
}
