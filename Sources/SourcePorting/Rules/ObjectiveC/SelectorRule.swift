import SwiftSyntax

/// Lists `#selector`, which can be replaced only in sort descriptors, in formats of expressions and in
/// registrations of observers.
final class SelectorRule: PortingRule {
  override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind {
    node.selectorName == nil ? .visitChildren : .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    if node.macroName.text == "selector", !node.isSortSelector, !node.isObserverSelector {
      report(node, reason: "#selector needs Objective-C; pass a closure, or wrap it in #if canImport(ObjectiveC)")
    }
    return .visitChildren
  }
}
