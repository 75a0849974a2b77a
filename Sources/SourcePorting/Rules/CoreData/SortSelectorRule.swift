import SwiftSyntax

/// Replaces `#selector` in a sort descriptor by the name of the comparison. `NSSelectorFromString` accepts the same names on
/// all platforms. A store can sort by such a name, but not by a closure.
final class SortSelectorRule: PortingRule {
  /// The methods that sort descriptors of this package know by name.
  private static let methods: Set = [
    "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
    "localizedStandardCompare",
  ]

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.macroName.text == "selector", node.isSortSelector else { return .visitChildren }
    if let method = node.arguments.first?.expression.methodName, Self.methods.contains(method) {
      report(
        node,
        reason: "#selector of a comparison becomes its name",
        edits: [
          SourceEdit(range: node.startOffset..<node.endOffset, replacement: "NSSelectorFromString(\"\(method):\")")
        ]
      )
    } else {
      report(
        node,
        reason: """
          sort descriptors compare by \(Self.methods.sorted().joined(separator: ":, ")): alone here; use one of these, or \
          a comparator, which sorts in memory but fetches from no SQLite store
          """
      )
    }
    return .skipChildren
  }
}

extension SyntaxProtocol {
  /// True when the node is in the argument of a sort descriptor that names the comparison method.
  var isSortSelector: Bool {
    var current = Syntax(self)
    while let parent = current.parent, !parent.is(CodeBlockItemSyntax.self) {
      if let argument = parent.as(LabeledExprSyntax.self), argument.label?.text == "selector" {
        return argument.parent?.parent?.as(FunctionCallExprSyntax.self)?.isSortDescriptor == true
      }
      current = parent
    }
    return false
  }
}

extension FunctionCallExprSyntax {
  fileprivate var isSortDescriptor: Bool {
    let called = calledExpression.as(MemberAccessExprSyntax.self)
    let type = called?.declName.baseName.text == "init" ? called?.base : calledExpression
    return type?.as(DeclReferenceExprSyntax.self)?.baseName.text == "NSSortDescriptor"
  }
}

extension ExprSyntax {
  /// The name of the method that the expression refers to, without its arguments.
  fileprivate var methodName: String? {
    self.as(MemberAccessExprSyntax.self)?.declName.baseName.plainName
      ?? self.as(DeclReferenceExprSyntax.self)?.baseName.plainName
  }
}
