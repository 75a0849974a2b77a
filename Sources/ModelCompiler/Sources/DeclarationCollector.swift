import SwiftSyntax

/// Collects the declarations of a parsed file that the accessors depend on: types, extensions, and members with `@NSManaged`.
struct DeclarationCollector {
  private let file: SourceFile
  private let lines: LineTable
  private var contents = SourceFile.Contents()
  private var foundManaged = 0

  init(file: SourceFile, lines: LineTable) {
    self.file = file
    self.lines = lines
  }

  mutating func collect(_ tree: SourceFileSyntax) -> SourceFile.Contents {
    collect(tree.statements, conditions: [])
    if foundManaged < file.managedCount {
      let finder = LocalManagedFinder(viewMode: .sourceAccurate)
      finder.walk(tree)
      contents.localManagedMembers = finder.offsets.map(lines.position(of:))
    }
    if file.mentionsObjectiveC { contents.objectiveCAttributes = ObjectiveCAttribute.all(in: tree, lines: lines) }
    return contents
  }

  private mutating func collect(_ statements: CodeBlockItemListSyntax, conditions: [String]) {
    for statement in statements {
      if case .decl(let declaration) = statement.item { collect(declaration, in: nil, conditions: conditions) }
    }
  }

  private mutating func collect(_ members: MemberBlockItemListSyntax, in parent: Declaration?, conditions: [String]) {
    for member in members { collect(member.decl, in: parent, conditions: conditions) }
  }

  private mutating func collect(_ syntax: DeclSyntax, in parent: Declaration?, conditions: [String]) {
    collectOverride(syntax, in: parent)
    switch syntax.as(DeclSyntaxEnum.self) {
    case .importDecl(let declaration): collect(declaration, conditions: conditions)
    case .classDecl(let declaration): collect(declaration, kind: .class, in: parent, conditions: conditions)
    case .actorDecl(let declaration): collect(declaration, kind: .class, in: parent, conditions: conditions)
    case .structDecl(let declaration): collect(declaration, kind: .structure, in: parent, conditions: conditions)
    case .enumDecl(let declaration): collect(declaration, kind: .enumeration, in: parent, conditions: conditions)
    case .protocolDecl(let declaration):
      collect(
        declaration,
        role: .type(.protocol),
        name: declaration.name,
        parameters: nil,
        in: parent,
        conditions: conditions
      )
    case .extensionDecl(let declaration):
      collect(
        declaration,
        role: .extension(TypeExpression(declaration.extendedType)),
        name: nil,
        parameters: nil,
        in: parent,
        conditions: conditions
      )
    case .typeAliasDecl(let declaration): collect(declaration, in: parent, conditions: conditions)
    case .variableDecl(let declaration): collect(declaration, in: parent, conditions: conditions)
    case .functionDecl(let declaration): collect(declaration, in: parent, conditions: conditions)
    case .initializerDecl(let declaration):
      if !declaration.modifiers.contains(where: { $0.name.text == "convenience" }) {
        parent?.declaresInitializer = true
      }
    case .ifConfigDecl(let declaration): collect(declaration, in: parent, conditions: conditions)
    case .macroExpansionDecl:
      // The macro may declare an initializer or `validateValue(_:forKey:)`.
      parent?.declaresInitializer = true
      parent?.checksValues = true
    default: break
    }
  }

  // MARK: - Types and extensions

  private mutating func collect(
    _ syntax: some DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax,
    kind: NominalType.Kind,
    in parent: Declaration?,
    conditions: [String]
  ) {
    collect(
      syntax,
      role: .type(kind),
      name: syntax.name,
      parameters: syntax.genericParameterClause,
      in: parent,
      conditions: conditions
    )
  }

  private mutating func collect(
    _ syntax: some DeclGroupSyntax,
    role: Declaration.Role,
    name: TokenSyntax?,
    parameters: GenericParameterClauseSyntax?,
    in parent: Declaration?,
    conditions: [String]
  ) {
    let attributes = DeclarationAttributes(syntax.attributes)
    // On a class, @objc applies to the class only. On an extension, it applies to the members.
    let isShownExtension = if case .extension = role { attributes.visibility == .shown } else { false }
    let heading = DeclarationHeading(
      access: Self.access(syntax.modifiers),
      genericParameters: parameters?.parameters.map(\.name.bareText) ?? [],
      isConstrained: syntax.genericWhereClause != nil,
      inherited: syntax.inheritanceClause?.inheritedTypes.map { TypeExpression($0.type) } ?? [],
      conditions: conditions,
      availability: attributes.availability,
      showsMembers: attributes.showsMembers || isShownExtension,
      hasUnknownAttribute: attributes.hasUnknown
    )
    let declaration = Declaration(
      role,
      name: name?.bareText ?? "",
      file: file,
      parent: parent,
      position: position(name ?? syntax.introducer),
      heading: heading
    )
    add(declaration, to: parent)
    collect(syntax.memberBlock.members, in: declaration, conditions: [])
  }

  private mutating func collect(_ syntax: TypeAliasDeclSyntax, in parent: Declaration?, conditions: [String]) {
    let heading = DeclarationHeading(
      access: Self.access(syntax.modifiers),
      genericParameters: syntax.genericParameterClause?.parameters.map(\.name.bareText) ?? [],
      conditions: conditions
    )
    let declaration = Declaration(
      .alias(TypeExpression(syntax.initializer.value)),
      name: syntax.name.bareText,
      file: file,
      parent: parent,
      position: position(syntax.name),
      heading: heading
    )
    add(declaration, to: parent)
  }

  private mutating func add(_ declaration: Declaration, to parent: Declaration?) {
    if let parent { parent.add(declaration) } else { contents.declarations.append(declaration) }
  }

  private mutating func collect(_ syntax: ImportDeclSyntax, conditions: [String]) {
    guard let module = syntax.path.first?.name.bareText else { return }
    let attributes = syntax.attributes.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
    contents.imports.append(
      SourceFile.Import(
        module: module,
        access: Self.access(syntax.modifiers),
        isTestable: attributes.contains("testable"),
        isExported: attributes.contains("_exported"),
        conditions: conditions,
        position: position(syntax.importKeyword)
      )
    )
  }

  // MARK: - Members

  private func collectOverride(_ syntax: DeclSyntax, in parent: Declaration?) {
    guard let parent, case .extension = parent.role,
      let word = syntax.asProtocol((any WithModifiersSyntax).self)?.modifiers.first(where: {
        $0.name.tokenKind == .keyword(.override)
      })
    else { return }
    parent.overrides.append(position(word.name))
  }

  private mutating func collect(_ syntax: VariableDeclSyntax, in parent: Declaration?, conditions: [String]) {
    let attributes = DeclarationAttributes(syntax.attributes)
    guard let parent else { return }
    parent.keyedMembers += KeyedMember.properties(
      of: syntax,
      attributes: attributes,
      in: parent,
      conditions: conditions
    )
    guard attributes.isManaged else { return }
    foundManaged += 1
    var type: TypeSyntax?
    // In `var a, b: Int` the type follows the last name and applies to all of them.
    for binding in syntax.bindings.reversed() {
      if let annotation = binding.typeAnnotation { type = annotation.type }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
      parent.managedMembers.append(
        ManagedMember(
          kind: .property(type.map { TypeExpression($0) }, text: type?.trimmedDescription ?? ""),
          name: name.bareText,
          writtenAccess: Self.access(syntax.modifiers),
          isUsableFromInline: attributes.isUsableFromInline,
          selector: attributes.selector,
          conditions: conditions + attributes.managedConditions,
          availability: attributes.availability,
          position: position(name)
        )
      )
    }
  }

  private mutating func collect(_ syntax: FunctionDeclSyntax, in parent: Declaration?, conditions: [String]) {
    let attributes = DeclarationAttributes(syntax.attributes)
    guard let parent else { return }
    if syntax.name.bareText == "validateValue",
      syntax.modifiers.contains(where: { $0.name.text == "override" })
    {
      parent.checksValues = true
    }
    if let method = KeyedMember(syntax: syntax, attributes: attributes, in: parent, conditions: conditions) {
      parent.keyedMembers.append(method)
    }
    guard attributes.isManaged else { return }
    foundManaged += 1
    let signature = syntax.signature
    parent.managedMembers.append(
      ManagedMember(
        kind: .method(
          parameters: signature.parameterClause.parameters.map { parameter in
            ManagedMember.Parameter(
              label: parameter.firstName.text == "_" ? nil : parameter.firstName.bareText,
              type: TypeExpression(parameter.type)
            )
          },
          result: signature.returnClause.map { TypeExpression($0.type) } ?? .tuple([])
        ),
        name: syntax.name.bareText,
        writtenAccess: Self.access(syntax.modifiers),
        isUsableFromInline: attributes.isUsableFromInline,
        selector: attributes.selector,
        conditions: conditions + attributes.managedConditions,
        availability: attributes.availability,
        position: position(syntax.name),
        text: "func \(syntax.name.text)\(signature.trimmedDescription)"
      )
    )
  }

  // MARK: - Conditions

  private mutating func collect(_ syntax: IfConfigDeclSyntax, in parent: Declaration?, conditions: [String]) {
    for branch in ConditionalBranch.branches(of: syntax) {
      let conditions = conditions + branch.conditions
      switch branch.elements {
      case .statements(let statements): collect(statements, conditions: conditions)
      case .decls(let members): collect(members, in: parent, conditions: conditions)
      default: break
      }
    }
  }

  private func position(_ token: TokenSyntax) -> SourcePosition {
    lines.position(of: token.positionAfterSkippingLeadingTrivia.utf8Offset)
  }

  /// The access level among the modifiers of a declaration. `private(set)` is ignored, because it applies to
  /// the setter only.
  private static func access(_ modifiers: DeclModifierListSyntax) -> AccessLevel? {
    modifiers.lazy.filter { $0.detail == nil }.compactMap { AccessLevel(word: $0.name.text) }.first
  }
}

/// Finds `@NSManaged` everywhere, including functions and closures.
private final class LocalManagedFinder: SyntaxVisitor {
  private(set) var offsets: [Int] = []
  private var depth = 0

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_ node: CodeBlockSyntax) { depth -= 1 }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_ node: ClosureExprSyntax) { depth -= 1 }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_ node: AccessorBlockSyntax) { depth -= 1 }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    if depth > 0, node.attributeName.trimmedDescription == "NSManaged" {
      offsets.append(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
    return .skipChildren
  }

  private func enter() -> SyntaxVisitorContinueKind {
    depth += 1
    return .visitChildren
  }
}
