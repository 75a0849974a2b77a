import SwiftSyntax

/// Removes the deprecated `confinementConcurrencyType` on platforms that do not have it: its own `case`
/// of a switch is put into `#if canImport(ObjectiveC)`.
final class ConfinementRule: PortingRule {
  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.declName.baseName.text == "confinementConcurrencyType" else { return .visitChildren }
    if let label = node.onlyCase, let edits = wrapping(label) {
      report(
        node,
        reason: "confinementConcurrencyType is not there; its case goes into #if canImport(ObjectiveC)",
        edits: edits
      )
    } else {
      report(
        node,
        reason: """
          confinementConcurrencyType is not there; use privateQueueConcurrencyType, or wrap what needs it in \
          #if canImport(ObjectiveC)
          """
      )
    }
    return .visitChildren
  }

  /// The edits around the case; `nil` if it shares a line, because `#if` needs whole lines.
  private func wrapping(_ node: SwitchCaseSyntax) -> [SourceEdit]? {
    let (start, end) = (node.startOffset, node.endOffset)
    guard file.beginsLine(start), file.endsLine(end) else { return nil }
    let line = file.newline + file.indentation(start)
    let lineEnd = file.lineEnd(end)
    return [
      SourceEdit(range: start..<start, replacement: "#if canImport(ObjectiveC)\(line)"),
      SourceEdit(range: lineEnd..<lineEnd, replacement: "\(line)#endif"),
    ]
  }
}

extension MemberAccessExprSyntax {
  /// The case of a switch whose only pattern is this expression.
  fileprivate var onlyCase: SwitchCaseSyntax? {
    var current = Syntax(self)
    while let parent = current.parent, !parent.is(CodeBlockItemSyntax.self) {
      if let item = parent.as(SwitchCaseItemSyntax.self) {
        guard item.whereClause == nil, item.pattern.trimmedDescription == trimmedDescription,
          let label = item.parent?.parent?.as(SwitchCaseLabelSyntax.self), label.caseItems.count == 1
        else { return nil }
        return label.parent?.as(SwitchCaseSyntax.self)
      }
      current = parent
    }
    return nil
  }
}
