import SwiftSyntax

/// Lists the publishers of managed objects, because they belong to Combine.
final class PublisherRule: PortingRule {
  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.baseName.text == "objectWillChange",
      !index.properties.values.contains(where: { $0["objectWillChange"] != nil })
    {
      report(
        node,
        reason: """
          objectWillChange is a publisher of Combine's; declare a class of managed objects Observable, make another \
          one @Observable, and follow it by withObservationTracking; or wrap it in #if canImport(Combine)
          """
      )
    }
    return .skipChildren
  }
}
