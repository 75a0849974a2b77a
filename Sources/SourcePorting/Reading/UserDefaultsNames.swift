import SwiftSyntax

/// The names of variables and parameters that are user defaults according to their declarations.
struct UserDefaultsNames {
  /// By file and by name: whether all declarations of the name in the file are user defaults.
  private var names: [String: [String: Bool]] = [:]

  mutating func add(_ file: SwiftFile) {
    let reader = Reader(viewMode: .sourceAccurate)
    reader.walk(file.tree)
    names[file.path] = reader.names
  }

  func contains(_ name: String, in file: SwiftFile) -> Bool {
    if let isDefaults = names[file.path]?[name] { return isDefaults }
    let others = names.values.compactMap { $0[name] }
    return !others.isEmpty && others.allSatisfy { $0 }
  }

  private final class Reader: SyntaxVisitor {
    private(set) var names: [String: Bool] = [:]

    private func add(_ name: TokenSyntax?, isDefaults: Bool) {
      guard let name = name?.plainName else { return }
      names[name] = isDefaults && names[name] != false
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
      let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier
      add(name, isDefaults: isDefaults(node.typeAnnotation, value: node.initializer))
      return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
      // `if let defaults` adds nothing to the declaration of the name.
      guard node.typeAnnotation != nil || node.initializer != nil else { return .visitChildren }
      let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier
      add(name, isDefaults: isDefaults(node.typeAnnotation, value: node.initializer))
      return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
      add(node.secondName ?? node.firstName, isDefaults: node.type.isUserDefaults)
      return .visitChildren
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
      add(node.secondName ?? node.firstName, isDefaults: node.type?.isUserDefaults == true)
      return .visitChildren
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
      add(node.name, isDefaults: false)
      return .visitChildren
    }

    private func isDefaults(_ annotation: TypeAnnotationSyntax?, value: InitializerClauseSyntax?) -> Bool {
      annotation.map(\.type.isUserDefaults) ?? value?.value.isUserDefaults ?? false
    }
  }
}

extension TypeSyntax {
  fileprivate var isUserDefaults: Bool {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isUserDefaults }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.isUserDefaults
    }
    return self.as(IdentifierTypeSyntax.self)?.name.text == "UserDefaults"
  }
}

extension ExprSyntax {
  /// True when the expression itself shows that it is user defaults: `UserDefaults.standard`,
  /// `UserDefaults(suiteName: "a") ?? .standard`.
  var isUserDefaults: Bool {
    if let unwrapped = self.as(ForceUnwrapExprSyntax.self) { return unwrapped.expression.isUserDefaults }
    if let chained = self.as(OptionalChainingExprSyntax.self) { return chained.expression.isUserDefaults }
    if let sequence = self.as(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      return elements.count == 3 && elements[1].trimmedDescription == "??" && elements[0].isUserDefaults
    }
    let called = self.as(FunctionCallExprSyntax.self)?.calledExpression
    let member = self.as(MemberAccessExprSyntax.self)
    let type = called ?? (member?.declName.baseName.text == "standard" ? member?.base : nil)
    return type?.as(DeclReferenceExprSyntax.self)?.baseName.text == "UserDefaults"
  }
}
