import SwiftSyntax

extension SourceEdit {
  /// Imports a module after the other imports at the top of a file, or before the first statement when the
  /// file has no imports.
  ///
  /// - Parameter isConditional: true to put the import into `#if canImport`, for a module that only
  ///   some platforms have.
  static func importing(_ module: String, in file: SwiftFile, isConditional: Bool = false) -> SourceEdit {
    let imports = file.tree.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
    // If the file imports Foundation publicly, it may also use the other module in public declarations.
    let isPublic = imports.contains { node in
      node.path.first?.name.text == "Foundation" && node.modifiers.contains { $0.name.text == "public" }
    }
    let attribute = StandardStreamRule.attribute(forImporting: module, in: file)
    let line = attribute + (isPublic ? "public " : "") + "import \(module)"
    let lines = isConditional ? ["#if canImport(\(module))", line, "#endif"] : [line]
    let text = lines.joined(separator: file.newline)
    guard let last = imports.last else {
      let start = file.tree.statements.first?.startOffset ?? 0
      return SourceEdit(range: start..<start, replacement: text + file.newline)
    }
    let end = file.lineEnd(last.endOffset)
    return SourceEdit(range: end..<end, replacement: file.newline + text)
  }
}

extension SwiftFile {
  /// Returns true when the file imports one of some modules, even inside a condition.
  func imports(anyOf modules: Set<String>) -> Bool {
    let finder = ImportFinder(viewMode: .sourceAccurate)
    finder.walk(tree)
    return !finder.modules.isDisjoint(with: modules)
  }
}

private final class ImportFinder: SyntaxVisitor {
  private(set) var modules: Set<String> = []

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first?.name.text { modules.insert(module) }
    return .skipChildren
  }
}
