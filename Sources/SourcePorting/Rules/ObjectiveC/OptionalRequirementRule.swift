import SwiftSyntax

/// Turns an optional requirement of an `@objc` protocol into a requirement with a default implementation on
/// platforms without Objective-C, and removes the question mark from its calls there.
///
/// The implementation does nothing, or returns `nil` for an optional result, as a call of a missing method does. A requirement
/// that returns a value is only listed, because the type of a call would differ between the platforms.
final class OptionalRequirementRule: PortingRule {
  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    guard node.name.tokenKind == .keyword(.optional) else { return .skipChildren }
    if let function = node.parent?.parent?.as(FunctionDeclSyntax.self),
      let requirement = OptionalRequirement(function),
      let alternative = StatementAlternative(around: function, edits: requirement.removals)
    {
      report(
        node,
        reason: "optional requirements need Objective-C; here it has an implementation",
        alternative: alternative
      )
    } else {
      report(
        node,
        reason: """
          optional requirements need Objective-C; make it a requirement of an optional value, with an implementation \
          in an extension of the protocol
          """
      )
    }
    return .skipChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    let requirements = node.memberBlock.members.compactMap { member in
      member.decl.as(FunctionDeclSyntax.self).flatMap(OptionalRequirement.init)
    }
    if !requirements.isEmpty { addImplementations(requirements, to: node) }
    return .visitChildren
  }

  private func addImplementations(_ requirements: [OptionalRequirement], to node: ProtocolDeclSyntax) {
    let outer = file.indentation(node.startOffset)
    let member = requirements[0].function.startOffset
    let inner = file.beginsLine(member) ? file.indentation(member) : outer + "  "
    let isPublic = node.modifiers.contains { $0.name.text == "public" }
    let methods = requirements.map { inner + (isPublic ? "public " : "") + $0.implementation(in: file) }
    let lines =
      ["", "", outer + "#if !canImport(ObjectiveC)", outer + "extension \(node.name.text) {"] + methods
      + [outer + "}", outer + "#endif"]
    let end = file.endsLine(node.endOffset) ? file.lineEnd(node.endOffset) : node.endOffset
    let edit = SourceEdit(range: end..<end, replacement: lines.joined(separator: file.newline))
    report(node.name, reason: "what is optional of the protocol has an implementation here", edits: [edit])
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let chained = node.calledExpression.as(OptionalChainingExprSyntax.self),
      let name = chained.expression.calledName, index.isOptionalRequirement(name.plainName)
    else { return .visitChildren }
    let mark = chained.questionMark
    let edit = SourceEdit(range: mark.startOffset..<mark.endOffset, replacement: "")
    let reason = "\(name.plainName) is not optional here"
    if let alternative = StatementAlternative(around: node, edits: [edit]) {
      report(name, reason: reason, alternative: alternative)
    } else {
      report(name, reason: "\(reason); write the call without the question mark in #if !canImport(ObjectiveC)")
    }
    return .visitChildren
  }
}

/// An optional method of a protocol that can have a default implementation.
struct OptionalRequirement {
  let function: FunctionDeclSyntax
  private let result: String

  /// - Returns: `nil` for any other method, and if the protocol is not at the top level of its file.
  init?(_ function: FunctionDeclSyntax) {
    guard function.isOptionalRequirement, let result = function.resultWithoutImplementation,
      let item = function.parent?.as(MemberBlockItemSyntax.self), item.semicolon == nil,
      item.parent?.parent?.parent?.as(ProtocolDeclSyntax.self)?.parent?.is(CodeBlockItemSyntax.self) == true
    else { return nil }
    self.function = function
    self.result = result
  }

  /// The edits that remove what needs Objective-C.
  var removals: [SourceEdit] {
    // Filtered SwiftSyntax lists lose their position in the file.
    var nodes: [Syntax] = []
    for attribute in function.attributes where attribute.isObjectiveC { nodes.append(Syntax(attribute)) }
    for word in function.modifiers where word.name.tokenKind == .keyword(.optional) { nodes.append(Syntax(word)) }
    return nodes.compactMap { node in
      guard let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate) else {
        return nil
      }
      return SourceEdit(range: node.startOffset..<next.startOffset, replacement: "")
    }
  }

  func implementation(in file: SwiftFile) -> String {
    let words = function.modifiers.filter { $0.name.tokenKind != .keyword(.optional) }
      .map { $0.trimmedDescription + " " }.joined()
    let end = function.genericWhereClause?.endOffset ?? function.signature.endOffset
    let heading = String(decoding: file.bytes[function.funcKeyword.startOffset..<end], as: UTF8.self)
    return "\(words)\(heading) {\(result)}"
  }
}

extension FunctionDeclSyntax {
  var isOptionalRequirement: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.optional) } }

  /// The statement with which the extension's default implementation answers: none for a method that returns
  /// nothing, `nil` for an optional result. It is `nil` for a method that has to return a value.
  var resultWithoutImplementation: String? {
    guard let type = signature.returnClause?.type else { return "" }
    if ["Void", "()"].contains(type.trimmedDescription) { return "" }
    return type.is(OptionalTypeSyntax.self) ? " nil " : nil
  }
}

extension AttributeListSyntax.Element {
  /// True for `@objc`, even if `#if` is around it.
  fileprivate var isObjectiveC: Bool { AttributeListSyntax([self]).containsObjectiveC }
}

extension ExprSyntax {
  /// The name of the called method: `changed` in `delegate?.changed` and in `changed`.
  fileprivate var calledName: TokenSyntax? {
    self.as(MemberAccessExprSyntax.self)?.declName.baseName ?? self.as(DeclReferenceExprSyntax.self)?.baseName
  }
}
