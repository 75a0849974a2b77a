import SwiftSyntax

/// Lists uses of `FileManager`'s methods for replacing a file. On Linux one of them does not exist, and the
/// other fails and leaves no file at the path.
final class ReplaceItemRule: PortingRule {
  private static let remedy = """
    remove the item and move the other into its place, or use replacePersistentStore(at:…) for a store
    """

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName,
      node.arguments.contains(where: { $0.label?.text == "withItemAt" })
    else { return .visitChildren }
    switch name.text {
    case "replaceItem": report(name, reason: "replaceItem(at:…resultingItemURL:) is not there; \(Self.remedy)")
    case "replaceItemAt":
      report(name, reason: "replaceItemAt(_:withItemAt:) fails here and removes the item; \(Self.remedy)")
    default: break
    }
    return .visitChildren
  }
}
