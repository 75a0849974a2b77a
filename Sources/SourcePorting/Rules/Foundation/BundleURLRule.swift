import SwiftSyntax

/// Converts the `NSURL`s that bundles return on Linux to the `URL`s that they return on Apple's platforms.
final class BundleURLRule: PortingRule {
  private static let reason = "bundles list NSURLs here"

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.arguments.map { $0.label?.text }
    let isListing =
      labels == ["forResourcesWithExtension", "subdirectory"]
      || labels == ["forResourcesWithExtension", "subdirectory", "localization"]
    guard isListing, let member = node.calledExpression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "urls", !node.isConverted
    else { return .visitChildren }
    let end = node.endOffset
    let edit = SourceEdit(range: end..<end, replacement: ".map({ $0.map { $0 as URL } })")
    if let alternative = StatementAlternative(around: node, edits: [edit]) {
      report(member.declName, reason: Self.reason, alternative: alternative)
    } else {
      report(member.declName, reason: "\(Self.reason); make them URLs, in #if !canImport(ObjectiveC)")
    }
    return .visitChildren
  }
}

extension FunctionCallExprSyntax {
  /// True when a member of the result, such as `map`, already converts it.
  fileprivate var isConverted: Bool { parent?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "map" }
}
