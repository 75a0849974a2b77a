import SwiftSyntax

/// A branch of `#if` that may be compiled, with the conditions that are left to the compiler.
struct ConditionalBranch {
  var conditions: [String]
  var elements: IfConfigClauseSyntax.Elements

  /// The branches that may be compiled.
  static func branches(of syntax: IfConfigDeclSyntax) -> [ConditionalBranch] {
    var branches: [ConditionalBranch] = []
    var excluded: [String] = []
    for clause in syntax.clauses {
      let text = clause.condition?.trimmedDescription
      let condition = clause.condition.map { CompilationCondition($0) } ?? .holds
      guard condition != .fails else { continue }
      if let elements = clause.elements {
        let own = condition == .depends ? text.map { [$0] } ?? [] : []
        branches.append(ConditionalBranch(conditions: excluded + own, elements: elements))
      }
      if condition == .holds { break }
      if let text { excluded.append("!(\(text))") }
    }
    return branches
  }
}
