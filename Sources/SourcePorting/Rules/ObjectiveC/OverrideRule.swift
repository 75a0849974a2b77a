import SwiftSyntax

/// Lists overrides in extensions, which only Objective-C finds at run time.
enum OverrideRule: PortingRule {
  static func changes(in file: SwiftFile, _ index: DeclarationIndex) -> [PortingChange] {
    Visitor(file, index).collect()
  }

  private final class Visitor: PortingVisitor {
    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
      if node.name.tokenKind == .keyword(.override),
        node.enclosingDeclaration?.is(ExtensionDeclSyntax.self) == true
      {
        report(node, "an override cannot be in an extension without Objective-C; move it into the class")
      }
      return .skipChildren
    }
  }
}
