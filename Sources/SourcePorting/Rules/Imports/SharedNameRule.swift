import SwiftSyntax

/// Imports a package's types by name if Foundation has types of the same names, such as `Predicate`. In a
/// file that imports both modules, the names would be ambiguous.
final class SharedNameRule: PortingRule {
  override static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    let visitor = Self(file: file, index: index)
    visitor.walk(file.tree)
    return visitor.uses.sorted { $0.value.startOffset < $1.value.startOffset }.compactMap { name, use in
      change(for: name, at: use, in: file, index: index, imports: visitor.imports)
    }
  }

  /// The generic types of Foundation with names that packages are likely to use.
  private static let names: Set = [
    "Predicate", "PredicateExpression", "Expression", "SortDescriptor", "SortOrder", "SortComparator",
    "KeyPathComparator",
  ]

  private static func change(
    for name: String,
    at use: TokenSyntax,
    in file: SwiftFile,
    index: DeclarationIndex,
    imports: [ImportDeclSyntax]
  ) -> PortingChange? {
    let declarations = index.types[name] ?? []
    let isOwn = declarations.contains { $0.file == file.path || $0.isVisible(inFolder: file.folder) }
    let isImported = imports.contains { $0.path.count > 1 && $0.path.last?.name.text == name }
    if isOwn || isImported { return nil }
    for node in imports where node.path.count == 1 {
      let module = node.path.trimmedDescription
      guard let declaration = declarations.first(where: { $0.isVisible(importing: module, by: node) }) else {
        continue
      }
      let words = node.attributes.map(\.trimmedDescription) + node.modifiers.map(\.trimmedDescription)
      let prefix = words.filter { declaration.access != .public || $0 != "@testable" }.map { $0 + " " }
        .joined()
      let end = file.lineEnd(node.endOffset)
      let text = "\(file.newline)\(prefix)import \(declaration.importWord) \(module).\(name)"
      return PortingChange(
        offset: use.startOffset,
        reason: "\(name) is Foundation's as well; \(module)'s is imported by name",
        edits: [SourceEdit(range: end..<end, replacement: text)]
      )
    }
    return nil
  }

  /// The first use of each name.
  private(set) var uses: [String: TokenSyntax] = [:]
  private(set) var imports: [ImportDeclSyntax] = []

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    imports.append(node)
    return .skipChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    record(node.name)
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id { record(node.baseName) }
    return .visitChildren
  }

  private func record(_ name: TokenSyntax) {
    if Self.names.contains(name.plainName), uses[name.plainName] == nil { uses[name.plainName] = name }
  }
}

extension DeclarationIndex.TypeDeclaration {
  /// Returns true when files in a folder see the type without an import. Only files in the same folder are
  /// known to belong to the same module.
  fileprivate func isVisible(inFolder folder: String) -> Bool { access != .file && self.folder == folder }

  /// Returns true when a file that imports a module sees the type. The module's files are in a folder with the module's name.
  fileprivate func isVisible(importing module: String, by node: ImportDeclSyntax) -> Bool {
    let isTestable = node.attributes.contains {
      $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "testable"
    }
    return (access == .public || isTestable && access == .module)
      && folder.split(separator: "/").contains { $0 == module }
  }
}
