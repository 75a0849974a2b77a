import SwiftSyntax

/// Makes it possible to pass `stdin`, `stdout` and `stderr` to C functions. On Linux they are variables, which
/// Swift 6 treats as shared mutable state.
final class StandardStreamRule: PortingRule {
  override static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    let visitor = Self(file: file, index: index)
    visitor.walk(file.tree)
    guard let use = visitor.firstUse, !visitor.plainImports.isEmpty else { return [] }
    // Every import needs the attribute: one import without it is enough for the compiler to report errors.
    let edits = visitor.plainImports.map { node in
      let start = node.startOffset
      let line = file.newline + file.indentation(start)
      return SourceEdit(range: start..<start, replacement: attribute(line))
    }
    return [
      PortingChange(
        offset: use.startOffset,
        reason: "\(use.text) is a variable here, and the imports that lead to it need @preconcurrency",
        edits: edits
      )
    ]
  }

  /// The attribute that a file needs before the import of a module, if the module exports the streams and the
  /// file uses them; otherwise an empty text.
  static func attribute(forImporting module: String, in file: SwiftFile) -> String {
    guard modules.contains(module) else { return "" }
    let visitor = Self(file: file, index: DeclarationIndex([]))
    visitor.walk(file.tree)
    return visitor.firstUse == nil ? "" : attribute(file.newline)
  }

  private static func attribute(_ line: String) -> String {
    "#if !canImport(ObjectiveC)\(line)@preconcurrency\(line)#endif\(line)"
  }

  /// The modules that re-export C's declarations.
  private static let modules: Set = ["CoreData", "CoreFoundation", "Foundation"]
  private static let functions: Set = [
    "clearerr", "fclose", "feof", "ferror", "fflush", "fileno", "fputc", "fputs", "fwrite", "getline", "putc",
    "setbuf", "setlinebuf", "setvbuf", "vfprintf", "fgets", "fread",
  ]
  private static let streams: Set = ["stdin", "stdout", "stderr"]

  private(set) var firstUse: TokenSyntax?
  /// The imports that export the streams and do not have the attribute.
  private(set) var plainImports: [ImportDeclSyntax] = []

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if Self.modules.contains(node.path.trimmedDescription),
      !node.attributes.trimmedDescription.contains("@preconcurrency"), file.beginsLine(node.startOffset)
    {
      plainImports.append(node)
    }
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let function = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    if firstUse == nil, let function, Self.functions.contains(function) {
      firstUse = node.arguments.lazy.compactMap { $0.expression.as(DeclReferenceExprSyntax.self)?.baseName }
        .first { Self.streams.contains($0.text) }
    }
    return .visitChildren
  }
}
