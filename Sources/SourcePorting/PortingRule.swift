import ModelCompiler
import SwiftSyntax

/// A rule for one kind of code that compiles only on Apple's platforms, with its replacement.
///
/// It visits the parts of a file that may be compiled without Apple's Core Data, and collects changes.
class PortingRule: SyntaxVisitor {
  let file: SwiftFile
  let index: DeclarationIndex
  var changes: [PortingChange] = []

  required init(file: SwiftFile, index: DeclarationIndex) {
    self.file = file
    self.index = index
    super.init(viewMode: .sourceAccurate)
  }

  /// The changes that the rule finds in a file.
  ///
  /// If a rule is applied to its own result, it finds nothing to edit. Edits of different rules do not overlap.
  ///
  /// - Parameter index: the declarations in all files that are ported together.
  class func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    let rule = Self(file: file, index: index)
    rule.walk(file.tree)
    return rule.changes
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

/// A rule for the names that may refer to declarations of other modules: of types, and of functions and values
/// at the top level.
class NameRule: PortingRule {
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
