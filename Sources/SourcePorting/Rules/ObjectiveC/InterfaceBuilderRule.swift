import SwiftSyntax

/// Lists the attributes of user interfaces, which only Apple's platforms have.
enum InterfaceBuilderRule: PortingRule {
  static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    Visitor(file: file, index: index).collect()
  }

  private static let names: Set = [
    "IBOutlet", "IBAction", "IBSegueAction", "NSApplicationMain", "UIApplicationMain",
  ]

  private final class Visitor: PortingVisitor {
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
      let name = node.attributeName.trimmedDescription
      if names.contains(name) {
        report(
          node,
          reason:
            "@\(name) is for user interfaces of Apple's platforms; wrap the declaration in #if canImport(ObjectiveC)"
        )
      }
      return .skipChildren
    }
  }
}
