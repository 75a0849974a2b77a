import ModelCompiler
import SwiftSyntax

/// Makes the private types of `@NSManaged` properties visible in the module, because the generated accessors
/// are in another file.
final class PrivateTypeRule: PortingRule {
  private lazy var managedTypes = ManagedTypes(file).names

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    open(node, modifiers: node.modifiers, from: node.enumKeyword)
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    open(node, modifiers: node.modifiers, from: node.structKeyword)
    return .visitChildren
  }

  private func open(_ node: some NamedDeclSyntax, modifiers: DeclModifierListSyntax, from keyword: TokenSyntax) {
    let name = node.name.plainName
    let access = modifiers.first { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    guard let access, node.parent?.is(CodeBlockItemSyntax.self) == true, managedTypes.contains(name) else { return }
    if index.isMentioned(name, outside: file) {
      return report(
        node.name,
        reason: """
          an @NSManaged property has this type, which is private here and means something else in other files; give \
          it another name, without \(access.name.text)
          """
      )
    }
    let next = access.nextToken(viewMode: .sourceAccurate)?.startOffset ?? keyword.startOffset
    report(
      node.name,
      reason: "the type of an @NSManaged property is seen in the whole module",
      edits: [SourceEdit(range: access.startOffset..<next, replacement: "")]
    )
  }

  /// The names of the types of a file's `@NSManaged` properties.
  private final class ManagedTypes: SyntaxVisitor {
    private(set) var names: Set<String> = []

    init(_ file: SwiftFile) {
      super.init(viewMode: .sourceAccurate)
      walk(file.tree)
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
      let isManaged = node.attributes.contains {
        $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "NSManaged"
      }
      if isManaged { names.formUnion(node.bindings.compactMap { $0.typeAnnotation?.type.elementName }) }
      return .skipChildren
    }
  }
}
