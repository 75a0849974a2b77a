import SwiftSyntax

/// Replaces `person.cars = [car]` by `person.cars = NSSet(array: [car])`. On Linux an array literal can be
/// an array or an ordered set of Foundation, but not a set.
final class SetLiteralRule: PortingRule {
  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    if elements.count == 3, let member = elements[0].as(MemberAccessExprSyntax.self),
      elements[1].is(AssignmentExprSyntax.self), let list = elements[2].as(ArrayExprSyntax.self),
      let type = index.foundationSet(of: member.declName.baseName.plainName)
    {
      wrap(list, in: type)
    }
    return .visitChildren
  }

  override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
    if let binding = node.parent?.as(PatternBindingSyntax.self),
      let type = binding.typeAnnotation?.type.foundationSet,
      let list = node.value.as(ArrayExprSyntax.self)
    {
      wrap(list, in: type)
    }
    return .visitChildren
  }

  private func wrap(_ list: ArrayExprSyntax, in type: String) {
    report(
      list,
      reason: "an \(type) cannot be written as a list",
      edits: [
        SourceEdit(range: list.startOffset..<list.startOffset, replacement: "\(type)(array: "),
        SourceEdit(range: list.endOffset..<list.endOffset, replacement: ")"),
      ]
    )
  }
}

extension DeclarationIndex {
  /// `NSSet` or `NSMutableSet`, if all properties with the name have that type.
  fileprivate func foundationSet(of name: String) -> String? {
    let types = Set(properties.values.compactMap { $0[name] }.map(\.foundationSet))
    return types.count == 1 ? types.first.flatMap(\.self) : nil
  }
}
