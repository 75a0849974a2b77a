import SwiftSyntax

/// Lists uses of the folders that Apple's systems share between the programs of a group, and between a user's devices.
final class SharedContainerRule: PortingRule {
  private static let group = "application groups are not there; use a folder that the programs agree on"
  private static let cloud = "iCloud is not there; use a folder of this machine"

  /// The members of `FileManager` and `URL` that concern iCloud.
  private static let members: Set = [
    "ubiquityIdentityToken", "startDownloadingUbiquitousItem", "evictUbiquitousItem", "isUbiquitousItem",
    "setUbiquitous",
  ]

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName else {
      return .visitChildren
    }
    switch (name.text, node.arguments.first?.label?.text) {
    case ("containerURL", "forSecurityApplicationGroupIdentifier"): report(name, reason: Self.group)
    case ("url", "forUbiquityContainerIdentifier"): report(name, reason: Self.cloud)
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if node.base != nil, Self.members.contains(node.declName.baseName.text) {
      report(node.declName, reason: Self.cloud)
    }
    return .visitChildren
  }
}
