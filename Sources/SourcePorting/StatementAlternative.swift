import SwiftSyntax

/// A statement that is written twice: unchanged in `#if canImport(ObjectiveC)`, and with edits in `#else`.
struct StatementAlternative: Hashable {
  /// The range of the statement, in bytes of UTF-8.
  var statement: Range<Int>
  /// The edits for `#else`.
  var edits: [SourceEdit]

  /// - Parameters:
  ///   - node: the edited node. The statement or the member around it is written twice.
  /// - Returns: `nil` when `#if` cannot be put around the statement, because a semicolon separates it from another one.
  init?(around node: some SyntaxProtocol, edits: [SourceEdit]) {
    guard let item = node.enclosingItem else { return nil }
    let statement: Syntax
    if let block = item.as(CodeBlockItemSyntax.self) {
      guard block.semicolon == nil, block.precedingSemicolon == nil else { return nil }
      statement = Syntax(block.item)
    } else if let member = item.as(MemberBlockItemSyntax.self), member.semicolon == nil {
      statement = Syntax(member.decl)
    } else {
      return nil
    }
    self.statement = statement.startOffset..<statement.endOffset
    self.edits = edits
  }
}

extension SyntaxProtocol {
  /// The statement or the member that contains the node.
  fileprivate var enclosingItem: Syntax? {
    var current = Syntax(self)
    while let parent = current.parent {
      if parent.is(CodeBlockItemSyntax.self) || parent.is(MemberBlockItemSyntax.self) { return parent }
      current = parent
    }
    return nil
  }
}

extension CodeBlockItemSyntax {
  /// The semicolon between the previous statement and this one.
  fileprivate var precedingSemicolon: TokenSyntax? {
    previousToken(viewMode: .sourceAccurate).flatMap { $0.tokenKind == .semicolon ? $0 : nil }
  }
}
