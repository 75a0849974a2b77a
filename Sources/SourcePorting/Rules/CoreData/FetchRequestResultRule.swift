import SwiftSyntax

/// Writes out a constraint that Apple's generic request classes imply: their generic parameter is an `NSFetchRequestResult`.
///
/// The classes cannot declare the constraint on this platform. `NSFetchRequest<NSFetchRequestResult>` has to
/// be valid, but without Objective-C a protocol type does not conform to itself. A function with the
/// constraint could not receive such a request, so functions that only configure requests stay as they are.
final class FetchRequestResultRule: PortingRule {
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if index.requestUses[node.name.plainName]?.isOfSettingsAlone != true {
      constrain(node.genericParameterClause, of: Syntax(node.signature), conditions: node.genericWhereClause)
    }
    return .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    constrain(node.genericParameterClause, of: Syntax(node.signature), conditions: node.genericWhereClause)
    return .visitChildren
  }

  private func constrain(
    _ clause: GenericParameterClauseSyntax?,
    of signature: Syntax,
    conditions: GenericWhereClauseSyntax?
  ) {
    guard let clause else { return }
    let results = ResultNames(signature).names
    let conditioned = Set((conditions?.requirements ?? []).compactMap(\.conformingName))
    for parameter in clause.parameters
    where parameter.inheritedType == nil && results.contains(parameter.name.plainName)
      && !conditioned.contains(parameter.name.plainName)
    {
      let end = parameter.name.endOffset
      report(
        parameter.name,
        reason: "requests do not imply here that \(parameter.name.text) is an NSFetchRequestResult",
        edits: [SourceEdit(range: end..<end, replacement: ": NSFetchRequestResult")]
      )
    }
  }
}

extension GenericRequirementSyntax {
  /// The name before the colon in `Result: NSManagedObject`.
  fileprivate var conformingName: String? {
    requirement.as(ConformanceRequirementSyntax.self)?.leftType.trimmedDescription
  }
}
