import ModelCompiler
import SwiftSyntax

/// Moves overrides from an extension into the class, if it is in the same file, because only Objective-C
/// supports them in extensions.
final class OverrideRule: PortingRule {
  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    guard node.name.tokenKind == .keyword(.override),
      let declaration = node.enclosingDeclaration?.as(ExtensionDeclSyntax.self)
    else { return .skipChildren }
    guard let item = declaration.member(with: node), let extended = declaration.classInSameFile else {
      report(node, reason: "an override cannot be in an extension without Objective-C; \(remedy(for: node))")
      return .skipChildren
    }
    changes.append(
      PortingChange(
        offset: node.startOffset,
        reason: "an override cannot be in an extension without Objective-C, and is moved into the class",
        edits: accessEdit(node, of: declaration).map { [$0] } ?? [],
        move: MemberMove(item, into: extended, of: file)
      )
    )
    return .skipChildren
  }

  /// What the author can do. To override members of a generated class, the author has to write the class.
  private func remedy(for node: DeclModifierSyntax) -> String {
    let move = "move it into the class"
    guard let declaration = node.enclosingDeclaration?.as(ExtensionDeclSyntax.self),
      let name = declaration.extendedType.elementName
    else { return move }
    if let heading = index.generatedClasses[name] {
      return "the class \(name) is generated from its model: \(heading.remedy)"
    }
    let isDeclared = index.superclasses[name] != nil || index.types[name] != nil
    if isDeclared || ["NS", "UI"].contains(where: { name.hasPrefix($0) }) { return move }
    let heading = GeneratedClasses.Heading(className: name)
    return "\(move); if \(name) is generated from a model, \(heading.remedy)"
  }

  /// Repeats the extension's access level before the member.
  private func accessEdit(_ node: DeclModifierSyntax, of declaration: ExtensionDeclSyntax) -> SourceEdit? {
    guard let modifiers = node.parent?.as(DeclModifierListSyntax.self), modifiers.access == nil,
      let access = declaration.modifiers.access
    else { return nil }
    return SourceEdit(range: node.startOffset..<node.startOffset, replacement: access + " ")
  }
}

extension ExtensionDeclSyntax {
  /// The member that has the modifier, if there is no `#if` around it.
  fileprivate func member(with modifier: DeclModifierSyntax) -> MemberBlockItemSyntax? {
    memberBlock.members.first { $0.position <= modifier.position && modifier.position < $0.endPosition }
      .flatMap { $0.decl.id == modifier.parent?.parent?.id ? $0 : nil }
  }

  /// The class, if it is declared in the same file under the same conditions. The extension may have an access
  /// level, but not attributes or a `where` clause.
  fileprivate var classInSameFile: ClassDeclSyntax? {
    guard attributes.isEmpty, genericWhereClause == nil,
      let items = parent?.parent?.as(CodeBlockItemListSyntax.self)
    else { return nil }
    return items.lazy.compactMap { $0.item.as(ClassDeclSyntax.self) }
      .first { $0.name.text == extendedType.trimmedDescription }
  }
}

extension DeclModifierListSyntax {
  /// The access level of a declaration.
  fileprivate var access: String? {
    first {
      $0.detail == nil
        && ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name.text)
    }?.name.text
  }
}
