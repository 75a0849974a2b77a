import SwiftSyntax

/// Lists names that Foundation has on Apple's platforms alone.
enum UnavailableNameRule: PortingRule {
  static func changes(in file: SwiftFile, _ index: DeclarationIndex) -> [PortingChange] {
    Visitor(file, index).collect()
  }

  private static let remedies: [String: String] = [
    "NSEC_PER_SEC": "write 1_000_000_000",
    "NSEC_PER_MSEC": "write 1_000_000",
    "NSEC_PER_USEC": "write 1_000",
    "USEC_PER_SEC": "write 1_000_000",
    "MSEC_PER_SEC": "write 1_000",
    "CFAbsoluteTimeGetCurrent": "use Date.timeIntervalSinceReferenceDate",
    "CACurrentMediaTime": "use ProcessInfo.processInfo.systemUptime",
    "arc4random": "use random(in:)",
    "arc4random_uniform": "use random(in:)",
    "NSSelectorFromString": "pass a closure",
    "Selector": "pass a closure",
    "NSAppleScript": "wrap it in #if canImport(ObjectiveC)",
    "NSUserActivity": "wrap it in #if canImport(ObjectiveC)",
    "NSUbiquitousKeyValueStore": "wrap it in #if canImport(ObjectiveC)",
    "NSFileCoordinator": "wrap it in #if canImport(ObjectiveC)",
  ]

  private final class Visitor: PortingVisitor {
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
      // A member of that name is another's.
      if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id { look(at: node.baseName) }
      return .visitChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
      look(at: node.name)
      return .visitChildren
    }

    private func look(at name: TokenSyntax) {
      guard let remedy = remedies[name.text] else { return }
      report(name, "\(name.text) is not in Foundation here; \(remedy)")
    }
  }
}
