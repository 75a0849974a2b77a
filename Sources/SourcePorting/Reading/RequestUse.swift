import SwiftSyntax

/// How the functions of one name use the requests that they receive or make, as far as the results have a generic type.
struct RequestUse: Hashable {
  /// The classes of requests, whose generic argument is the class of the results.
  static let classes: Set = [
    "NSFetchRequest", "NSFetchedResultsController", "NSAsynchronousFetchRequest", "NSAsynchronousFetchResult",
  ]

  private var isImplemented = false
  private var usesResults = false

  /// True when the functions only configure or cast requests, so that the class of the results does not matter.
  var isOfSettingsAlone: Bool { isImplemented && !usesResults }

  mutating func add(_ function: FunctionDeclSyntax) {
    let results = ResultNames(Syntax(function.signature)).names
    let parameters = function.genericParameterClause?.parameters.map(\.name.plainName) ?? []
    let generic = results.intersection(parameters)
    guard !generic.isEmpty else { return }
    // A constraint on the results in one function of the name has to be in the others as well.
    let isLimited = function.genericParameterClause?.parameters.contains { $0.inheritedType != nil } == true
    if isLimited || function.genericWhereClause != nil { usesResults = true }
    guard let body = function.body else { return }
    isImplemented = true
    let requests = function.signature.parameterClause.parameters.compactMap { parameter in
      let name = parameter.type.as(IdentifierTypeSyntax.self)?.name.plainName
      return name.map(Self.classes.contains) == true
        ? (parameter.secondName ?? parameter.firstName).plainName : nil
    }
    let reader = UseReader(results: generic, requests: Set(requests))
    reader.walk(function.signature)
    reader.walk(body)
    if reader.usesResults { usesResults = true }
  }
}

/// Collects the names that are the generic argument of one of the classes.
final class ResultNames: SyntaxVisitor {
  private(set) var names: Set<String> = []

  init(_ signature: Syntax) {
    super.init(viewMode: .sourceAccurate)
    walk(signature)
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if RequestUse.classes.contains(node.name.plainName),
      let argument = node.genericArgumentClause?.arguments.first
    {
      names.insert(argument.argument.trimmedDescription)
    }
    return .visitChildren
  }
}

private final class UseReader: SyntaxVisitor {
  private(set) var usesResults = false
  private let results: Set<String>
  private let requests: Set<String>

  init(results: Set<String>, requests: Set<String>) {
    self.results = results
    self.requests = requests
    super.init(viewMode: .sourceAccurate)
  }

  /// Skips expressions in a string, because they only print the value.
  override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if results.contains(node.name.plainName) { usesResults = true }
    return RequestUse.classes.contains(node.name.plainName) ? .skipChildren : .visitChildren
  }

  override func visit(_ node: GenericSpecializationExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.expression.as(DeclReferenceExprSyntax.self)?.baseName.plainName
    return name.map(RequestUse.classes.contains) == true ? .skipChildren : .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.plainName
    if results.contains(name), !node.isArgumentOfCasting || requests.contains(name) { usesResults = true }
    if requests.contains(name), !node.isSetUp { usesResults = true }
    return .visitChildren
  }
}

extension DeclReferenceExprSyntax {
  /// True when the expression is the class in `request.castingResults(to: Result.self)`.
  fileprivate var isArgumentOfCasting: Bool {
    let argument = parent?.as(MemberAccessExprSyntax.self)?.parent?.as(LabeledExprSyntax.self)
    let call = argument?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "castingResults"
  }

  /// True when the expression is a request of which a setting is read or set, or which is cast.
  fileprivate var isSetUp: Bool {
    guard let parent else { return false }
    if let member = parent.as(MemberAccessExprSyntax.self) {
      return member.declName.id == id || member.declName.baseName.text != "execute"
    }
    if parent.is(PostfixIfConfigExprSyntax.self) { return true }
    guard let list = parent.as(ExprListSyntax.self), let index = list.firstIndex(where: { $0.id == id }),
      let next = list.dropFirst(list.distance(from: list.startIndex, to: index) + 1).first
    else { return false }
    return next.is(UnresolvedAsExprSyntax.self) || next.is(UnresolvedIsExprSyntax.self)
  }
}
