import ModelCompiler
import SwiftSyntax

/// Visits the parts of a file that may be compiled without Apple's Core Data, and collects changes.
class PortingVisitor: SyntaxVisitor {
  let file: SwiftFile
  let index: DeclarationIndex
  var changes: [PortingChange] = []

  init(file: SwiftFile, index: DeclarationIndex) {
    self.file = file
    self.index = index
    super.init(viewMode: .sourceAccurate)
  }

  /// Visits the whole file and returns its changes.
  func collect() -> [PortingChange] {
    walk(file.tree)
    return changes
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    node.isForApplePlatformsOnly ? .skipChildren : .visitChildren
  }

  func report(_ node: some SyntaxProtocol, reason: String, edits: [SourceEdit] = []) {
    changes.append(PortingChange(offset: node.startOffset, reason: reason, edits: edits))
  }

  func report(_ node: some SyntaxProtocol, reason: String, alternative: StatementAlternative) {
    changes.append(PortingChange(offset: node.startOffset, reason: reason, alternative: alternative))
  }
}

extension IfConfigClauseSyntax {
  /// True when the clause is never compiled on platforms without Objective-C.
  var isForApplePlatformsOnly: Bool {
    if let condition, CompilationCondition(condition) == .fails { return true }
    guard let clauses = parent?.as(IfConfigClauseListSyntax.self) else { return false }
    return clauses.prefix { $0.id != id }.contains { clause in
      clause.condition.map { CompilationCondition($0) == .holds } ?? false
    }
  }
}

extension SyntaxProtocol {
  /// The offset of the node's first byte after leading comments and white space, in bytes of UTF-8.
  var startOffset: Int { positionAfterSkippingLeadingTrivia.utf8Offset }

  /// The offset after the node's last byte, before trailing comments and white space, in bytes of UTF-8.
  var endOffset: Int { endPositionBeforeTrailingTrivia.utf8Offset }

  /// The declaration that directly contains a member.
  var enclosingDeclaration: Syntax? {
    var current = parent
    while let node = current {
      if node.asProtocol((any DeclGroupSyntax).self) != nil { return node }
      current = node.parent
    }
    return nil
  }
}

/// Visits the names that may refer to declarations of other modules: of types, and of functions and values
/// at the top level.
class NameVisitor: PortingVisitor {
  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    // A member with that name belongs to another declaration.
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != node.id { look(at: node.baseName) }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.name)
    return .visitChildren
  }

  /// Called for each name.
  func look(at name: TokenSyntax) {}
}
