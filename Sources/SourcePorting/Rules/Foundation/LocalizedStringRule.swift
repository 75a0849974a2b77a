import SwiftParser
import SwiftSyntax

/// Replaces `String(localized:)` by `NSLocalizedString`, which looks up the same key on all platforms.
final class LocalizedStringRule: PortingRule {
  /// The argument labels of the initializer and those of the function, in the function's order.
  private static let labels = [
    ("localized", ""), ("table", "tableName: "), ("bundle", "bundle: "), ("defaultValue", "value: "),
    ("comment", "comment: "),
  ]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text == "String",
      node.arguments.first?.label?.text == "localized"
    else { return .visitChildren }
    if let replacement = localizedString(node) {
      report(
        node,
        reason: "String(localized:) is not there; NSLocalizedString looks up the same text",
        edits: [SourceEdit(range: node.startOffset..<node.endOffset, replacement: replacement)]
      )
      return .skipChildren
    }
    report(node, reason: "String(localized:) is not there; use NSLocalizedString, and String(format:) for values in it")
    return .visitChildren
  }

  /// The call of the function; `nil` when its result might differ.
  private func localizedString(_ node: FunctionCallExprSyntax) -> String? {
    var arguments: [String: ExprSyntax] = [:]
    for argument in node.arguments {
      guard let label = argument.label?.text else { return nil }
      arguments[label] = argument.expression
    }
    let known = Set(Self.labels.map(\.0))
    guard node.trailingClosure == nil, known.isSuperset(of: arguments.keys),
      arguments["localized"]?.isPlainText == true, arguments["defaultValue"]?.isPlainText != false,
      arguments["table"]?.isPlainText != false, arguments["comment"]?.isPlainText != false,
      arguments["bundle"]?.isBundle != false
    else { return nil }
    let written = Self.labels.compactMap { label, name in
      (arguments[label]?.trimmedDescription ?? (label == "comment" ? "\"\"" : nil)).map { name + $0 }
    }
    return "NSLocalizedString(\(written.joined(separator: ", ")))"
  }
}

extension ExprSyntax {
  /// True when the expression is a string of one segment, without characters that a localized string would
  /// interpret as a format.
  fileprivate var isPlainText: Bool {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
      let text = literal.representedLiteralValue
    else { return false }
    return !text.contains("%") && !text.contains("^[")
  }

  /// True when the expression is certainly a bundle, and not an optional one.
  fileprivate var isBundle: Bool {
    let member = self.as(MemberAccessExprSyntax.self)
    return ["main", "module"].contains(member?.declName.baseName.text)
      && ["Bundle", nil].contains(member?.base?.trimmedDescription)
  }
}
