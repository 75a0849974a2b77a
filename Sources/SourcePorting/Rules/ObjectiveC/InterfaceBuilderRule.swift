import SwiftSyntax

/// Lists the attributes of user interfaces, which only Apple's platforms have.
final class InterfaceBuilderRule: PortingRule {
  private static let names: Set = [
    "IBOutlet", "IBAction", "IBSegueAction", "NSApplicationMain", "UIApplicationMain",
  ]

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    let name = node.attributeName.trimmedDescription
    if Self.names.contains(name) {
      report(
        node,
        reason:
          "@\(name) is for user interfaces of Apple's platforms; wrap the declaration in #if canImport(ObjectiveC)"
      )
    }
    return .skipChildren
  }
}
