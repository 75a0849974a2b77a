import SwiftSyntax

/// Lets functions of C have `stderr` and its like, which are variables here that Swift 6 takes for shared state.
enum StandardStreamRule: PortingRule {
  static func changes(in file: SwiftFile, _ index: DeclarationIndex) -> [PortingChange] {
    let visitor = Visitor(file, index)
    visitor.walk(file.tree)
    guard let use = visitor.firstUse, let node = visitor.plainImport else { return [] }
    let start = node.startOffset
    let line = file.newline + file.indentation(start)
    return [
      PortingChange(
        offset: use.startOffset,
        reason: "\(use.text) is a variable here, and the import of its module needs @preconcurrency",
        edits: [
          SourceEdit(
            range: start..<start,
            replacement: "#if !canImport(ObjectiveC)\(line)@preconcurrency\(line)#endif\(line)"
          )
        ]
      )
    ]
  }

  private static let functions: Set = [
    "clearerr", "fclose", "feof", "ferror", "fflush", "fileno", "fputc", "fputs", "fwrite", "getline", "putc",
    "setbuf", "setlinebuf", "setvbuf", "vfprintf", "fgets", "fread",
  ]
  private static let streams: Set = ["stdin", "stdout", "stderr"]

  private final class Visitor: PortingVisitor {
    private(set) var firstUse: TokenSyntax?
    /// The import of Foundation, unless it has the attribute.
    private(set) var plainImport: ImportDeclSyntax?

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      if node.path.trimmedDescription == "Foundation",
        !node.attributes.trimmedDescription.contains("@preconcurrency"), file.beginsLine(node.startOffset)
      {
        plainImport = plainImport ?? node
      }
      return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      let function = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
      if firstUse == nil, let function, functions.contains(function) {
        firstUse = node.arguments.lazy.compactMap { $0.expression.as(DeclReferenceExprSyntax.self)?.baseName }
          .first { streams.contains($0.text) }
      }
      return .visitChildren
    }
  }
}
