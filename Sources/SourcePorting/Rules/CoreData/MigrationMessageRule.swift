import SwiftSyntax

/// Lists methods of migration policies and managers that mapping models may call by their selectors.
final class MigrationMessageRule: PortingRule {
  private static let receivers: Set = ["NSEntityMigrationPolicy", "NSMigrationManager"]

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.isExposed, !node.modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) }),
      let declaration = node.enclosingDeclaration, let name = declaration.nameOfExtended,
      !Self.receivers.isDisjoint(with: [name] + index.ancestors(of: name)), !declaration.answersMessages
    else { return .skipChildren }
    report(
      node.name,
      reason: """
        FUNCTION in mapping models sends no message by itself here; where one calls this method, override \
        answer(_:_:) and call it from there
        """
    )
    return .skipChildren
  }
}

extension FunctionDeclSyntax {
  /// True when the method has `@objc`, even if `#if` is around the attribute.
  fileprivate var isExposed: Bool {
    attributes.contains { element in
      switch element {
      case .attribute(let attribute): return attribute.isObjectiveC
      case .ifConfigDecl(let conditional):
        return conditional.clauses.contains { clause in
          guard case .attributes(let list)? = clause.elements else { return false }
          return list.contains { $0.as(AttributeSyntax.self)?.isObjectiveC == true }
        }
      }
    }
  }
}

extension AttributeSyntax {
  fileprivate var isObjectiveC: Bool { attributeName.trimmedDescription == "objc" }
}

extension Syntax {
  /// The name of the class that a member belongs to.
  fileprivate var nameOfExtended: String? {
    self.as(ClassDeclSyntax.self)?.name.plainName
      ?? self.as(ExtensionDeclSyntax.self)?.extendedType.elementName
  }

  /// True when the declaration has a function `answer`, which handles messages instead of the methods.
  fileprivate var answersMessages: Bool {
    asProtocol((any DeclGroupSyntax).self)?.memberBlock.members.contains { member in
      member.decl.as(FunctionDeclSyntax.self)?.name.text == "answer"
    } ?? false
  }
}
