import SwiftSyntax

/// Adds `import CoreData` to files that use what is Foundation's or the language's on Apple's platforms, and Core Data's
/// here.
enum MissingImportRule: PortingRule {
  static func changes(in file: SwiftFile, _ index: DeclarationIndex) -> [PortingChange] {
    let visitor = Visitor(file, index)
    visitor.walk(file.tree)
    guard !visitor.importsCoreData, let use = visitor.uses.first else { return [] }
    let reason = "\(use.text) comes from CoreData here"
    return [
      PortingChange(offset: use.startOffset, reason: reason, edits: [insertion(file, visitor.lastImport)])
    ]
  }

  private static func insertion(_ file: SwiftFile, _ lastImport: ImportDeclSyntax?) -> SourceEdit {
    guard let lastImport else {
      let start = file.tree.statements.first?.startOffset ?? 0
      return SourceEdit(range: start..<start, replacement: "import CoreData\(file.newline)")
    }
    let end = file.lineEnd(lastImport.endOffset)
    return SourceEdit(range: end..<end, replacement: "\(file.newline)import CoreData")
  }

  /// What Foundation has with fewer initialisers.
  private static let classes: Set = ["NSPredicate", "NSSortDescriptor"]

  private final class Visitor: PortingVisitor {
    private(set) var uses: [TokenSyntax] = []
    private(set) var importsCoreData = false
    private(set) var lastImport: ImportDeclSyntax?

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      if ["CoreData", "Predicates"].contains(node.path.first?.name.text) { importsCoreData = true }
      if node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true { lastImport = node }
      return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName else {
        return .visitChildren
      }
      let isAutoreleasePool = name.text == "autoreleasepool" && !index.functions.contains(name.text)
      if isAutoreleasePool || classes.contains(name.text) { uses.append(name) }
      return .visitChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
      if case .identifier(let name) = token.tokenKind, FoundationNameRule.names.contains(name) {
        uses.append(token)
      }
      return .skipChildren
    }
  }
}
