import SwiftSyntax

/// Lists ways to get a bundle that give another one where a package's resources are in folders next to the program.
final class BundleRule: PortingRule {
  private static let module = "use Bundle.module for the resources of a target"

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.calledExpression.isBundle else { return .visitChildren }
    switch node.arguments.first?.label?.text {
    case "for": report(node, reason: "Bundle(for:) is the folder of the program here; \(Self.module)")
    case "identifier": report(node, reason: "bundles of packages have no identifier here; \(Self.module)")
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.baseName.text
    if ["allBundles", "allFrameworks"].contains(name), node.base?.isBundle == true {
      report(
        node,
        reason:
          "Bundle.\(name) is empty here; list the bundles: Bundle.main, and Bundle.module of each target"
      )
    }
    return .visitChildren
  }
}

extension ExprSyntax {
  fileprivate var isBundle: Bool { self.as(DeclReferenceExprSyntax.self)?.baseName.text == "Bundle" }
}
