import SwiftSyntax

/// Writes the modes of Core Foundation's run loops by their C names, because on Linux they are plain strings without members.
final class RunLoopModeRule: PortingRule {
  private static let constants = [
    "commonModes": "kCFRunLoopCommonModes", "defaultMode": "kCFRunLoopDefaultMode",
  ]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let function = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard function?.hasPrefix("CFRunLoop") == true else { return .visitChildren }
    for mode in node.arguments.compactMap({ $0.expression.as(MemberAccessExprSyntax.self) }) {
      rename(mode)
    }
    return .visitChildren
  }

  private func rename(_ mode: MemberAccessExprSyntax) {
    guard let constant = Self.constants[mode.declName.baseName.text],
      ["CFRunLoopMode", nil].contains(mode.base?.trimmedDescription)
    else { return }
    let edit = SourceEdit(range: mode.startOffset..<mode.endOffset, replacement: constant)
    if let alternative = StatementAlternative(around: mode, edits: [edit]) {
      report(mode, reason: "a mode of run loops is \(constant) here", alternative: alternative)
    } else {
      report(
        mode,
        reason:
          "a mode of run loops is \(constant) here; write the statement for both in #if canImport(ObjectiveC)"
      )
    }
  }
}
