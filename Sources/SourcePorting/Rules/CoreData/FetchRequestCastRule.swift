import SwiftSyntax

/// Makes `request as! NSFetchRequest<NSFetchRequestResult>` succeed on platforms where generic classes are not erased. On
/// platforms without Objective-C, `castingResults(to:)` before the cast makes a request of that class.
final class FetchRequestCastRule: PortingRule {
  /// The other generic classes that Objective-C erases, for which this package has no such method.
  private static let others: Set = ["NSFetchedResultsController"]

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    for (index, element) in elements.enumerated() where index > 0 && index + 1 < elements.count {
      guard let type = elements[index + 1].as(TypeExprSyntax.self)?.type,
        let keyword = castKeyword(element)
      else { continue }
      portCast(of: elements[index - 1], at: keyword, to: type)
    }
    return .visitChildren
  }

  /// Ports an unchecked cast, which would treat the object as one of the other class.
  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard let name, ["unsafeBitCast", "unsafeDowncast"].contains(name), node.arguments.count == 2,
      let operand = node.arguments.first, let target = node.arguments.last, target.label?.text == "to",
      let metatype = target.expression.as(MemberAccessExprSyntax.self),
      metatype.declName.baseName.text == "self",
      let (className, result) = metatype.base?.genericClass
    else { return .visitChildren }
    if className == "NSFetchRequest", operand.expression.allowsMembers {
      addCasting(inPlaceOf: node, operand: operand.expression, result: result)
    } else if className == "NSFetchRequest" || Self.others.contains(className) {
      report(
        node,
        reason:
          "\(className) is a generic class, and its results cannot be taken for others here; keep its class"
      )
    }
    return .visitChildren
  }

  private func addCasting(inPlaceOf call: FunctionCallExprSyntax, operand: ExprSyntax, result: String) {
    let metatype = result.contains(" ") ? "(\(result))" : result
    let cast =
      "(\(operand.trimmedDescription).castingResults(to: \(metatype).self) as! NSFetchRequest<\(result)>)"
    let edit = SourceEdit(range: call.startOffset..<call.endOffset, replacement: cast)
    if let alternative = StatementAlternative(around: call, edits: [edit]) {
      report(call, reason: Self.reason, alternative: alternative)
    } else {
      report(call, reason: "\(Self.reason); write the statement for both in #if canImport(ObjectiveC)")
    }
  }

  /// The keyword of a cast at run time, including one in a pattern.
  private func castKeyword(_ element: ExprSyntax) -> TokenSyntax? {
    element.as(UnresolvedAsExprSyntax.self)?.asKeyword ?? element.as(UnresolvedIsExprSyntax.self)?.isKeyword
  }

  private func portCast(of operand: ExprSyntax, at keyword: TokenSyntax, to type: TypeSyntax) {
    guard let (className, result) = type.genericClass else { return }
    let operand = operand.withoutEffects
    let isPattern = operand.is(PatternExprSyntax.self)
    let isStatic =
      keyword.tokenKind == .keyword(.as) && keyword.nextToken(viewMode: .sourceAccurate)?.isMark == false
    if isStatic && !isPattern || operand.is(PostfixIfConfigExprSyntax.self) || operand.isCopy
      || operand.isCasting
    {
      return
    }
    if className == "NSFetchRequest", !isPattern, operand.allowsMembers {
      addCasting(of: operand, keyword: keyword, result: result)
    } else if className == "NSFetchRequest" || Self.others.contains(className) {
      report(
        keyword,
        reason: """
          \(className) is a generic class, and a cast to other results fails here; \
          \(className == "NSFetchRequest" ? "cast the request itself, by castingResults(to:)" : "keep its class")
          """
      )
    }
  }

  private func addCasting(of operand: ExprSyntax, keyword: TokenSyntax, result: TypeSyntax) {
    let metatype =
      result.is(SomeOrAnyTypeSyntax.self) ? "(\(result.trimmedDescription))" : result.trimmedDescription
    if operand.isArgumentOfMacro { return addCastingInMacro(of: operand, keyword: keyword, metatype: metatype) }
    let line = file.newline + file.indentation(operand.startOffset)
    let replacement =
      "\(line)  #if !canImport(ObjectiveC)\(line)  .castingResults(to: \(metatype).self)\(line)  #endif\(line)  "
    // Only white space is replaced, so that a comment before the cast stays.
    let end = file.startOfSpaces(before: keyword.startOffset)
    let start =
      file.bytes[operand.endOffset..<keyword.startOffset].allSatisfy(Self.isBlank) ? operand.endOffset : end
    report(
      keyword,
      reason: Self.reason,
      edits: [SourceEdit(range: start..<keyword.startOffset, replacement: replacement)]
    )
  }

  /// Writes the statement twice, because the argument of a macro cannot contain `#if`.
  private func addCastingInMacro(of operand: ExprSyntax, keyword: TokenSyntax, metatype: String) {
    let end = operand.endOffset
    let casting = SourceEdit(range: end..<end, replacement: ".castingResults(to: \(metatype).self)")
    if let alternative = StatementAlternative(around: operand, edits: [casting]) {
      report(keyword, reason: Self.reason, alternative: alternative)
    } else {
      report(
        keyword,
        reason:
          "\(Self.reason), and no condition can be in a macro's argument; cast in a statement in front of it"
      )
    }
  }

  private static let reason =
    "a cast of a fetch request needs castingResults(to:) where generic classes are not erased"

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}

extension TokenSyntax {
  /// True when the token after `as` makes it a cast at run time.
  fileprivate var isMark: Bool { tokenKind == .exclamationMark || tokenKind == .postfixQuestionMark }
}

extension ExprSyntax {
  /// The expression after `try` and `await`.
  fileprivate var withoutEffects: ExprSyntax {
    if let marked = self.as(TryExprSyntax.self) { return marked.expression.withoutEffects }
    if let marked = self.as(AwaitExprSyntax.self) { return marked.expression.withoutEffects }
    return self
  }

  /// True when a member access can be appended to the expression without parentheses.
  fileprivate var allowsMembers: Bool {
    self.is(DeclReferenceExprSyntax.self) || self.is(MemberAccessExprSyntax.self)
      || self.is(FunctionCallExprSyntax.self)
      || self.is(TupleExprSyntax.self) || self.is(SubscriptCallExprSyntax.self)
      || self.is(ForceUnwrapExprSyntax.self)
  }

  /// True when the expression is a copy. Its static class is `Any`, and its dynamic class is that of the original.
  fileprivate var isCopy: Bool {
    let called = self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)
    return ["copy", "mutableCopy"].contains(called?.declName.baseName.text)
  }
}

extension ExprSyntax {
  /// True when the expression is a request that is already cast.
  fileprivate var isCasting: Bool {
    let called = self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)
    return called?.declName.baseName.text == "castingResults"
  }

  /// True when the expression is in the argument of a macro, but not in a statement of a closure there.
  fileprivate var isArgumentOfMacro: Bool {
    var current = Syntax(self)
    while let parent = current.parent, !parent.is(CodeBlockItemSyntax.self) {
      if parent.asProtocol((any FreestandingMacroExpansionSyntax).self) != nil { return true }
      current = parent
    }
    return false
  }
}

extension ExprSyntax {
  /// The name and the argument of a generic class in a metatype expression: `NSFetchRequest<Note>` before `.self`.
  fileprivate var genericClass: (name: String, argument: String)? {
    if let type = self.as(TypeExprSyntax.self)?.type.genericClass {
      return (type.name, type.argument.trimmedDescription)
    }
    guard let specialized = self.as(GenericSpecializationExprSyntax.self),
      specialized.genericArgumentClause.arguments.count == 1,
      let argument = specialized.genericArgumentClause.arguments.first?.argument,
      let name = specialized.expression.as(DeclReferenceExprSyntax.self)?.baseName.plainName
        ?? specialized.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainName
    else { return nil }
    return (name, argument.trimmedDescription)
  }
}

extension TypeSyntax {
  /// The name and the argument of a generic class with one argument.
  fileprivate var genericClass: (name: String, argument: TypeSyntax)? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.genericClass }
    let identifier = self.as(IdentifierTypeSyntax.self)
    let member = self.as(MemberTypeSyntax.self)
    guard let arguments = (identifier?.genericArgumentClause ?? member?.genericArgumentClause)?.arguments,
      arguments.count == 1, let argument = arguments.first?.argument.as(TypeSyntax.self),
      let name = (identifier?.name ?? member?.name)?.plainName
    else { return nil }
    return (name, argument)
  }
}
