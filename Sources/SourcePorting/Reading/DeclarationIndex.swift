import SwiftSyntax

/// What is known of the declarations in the files that are ported together, by name alone.
struct DeclarationIndex {
  struct Property: Hashable {
    /// The class of the value, or of the elements of a collection; `nil` when the declaration does not say.
    var typeName: String?
    /// The name that `@objc(name)` gives it.
    var objectiveCName: String?
  }

  fileprivate(set) var properties: [String: [String: Property]] = [:]
  fileprivate(set) var superclasses: [String: String] = [:]
  /// The functions at the top of a file.
  fileprivate(set) var functions: Set<String> = []

  init(_ files: [SwiftFile]) {
    for file in files {
      let reader = DeclarationReader(viewMode: .sourceAccurate)
      reader.index = self
      reader.walk(file.tree)
      self = reader.index
    }
  }

  fileprivate init() {}

  /// A property of a type or of one that it inherits from.
  func property(_ name: String, of typeName: String) -> Property? {
    var current: String? = typeName
    // Broken sources may have classes that inherit from themselves.
    for _ in 0...superclasses.count {
      guard let type = current else { return nil }
      if let property = properties[type]?[name] { return property }
      current = superclasses[type]
    }
    return nil
  }
}

private final class DeclarationReader: SyntaxVisitor {
  var index = DeclarationIndex()

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    index.superclasses[node.name.plainName] = node.inheritanceClause?.inheritedTypes.first?.type.elementName
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.is(CodeBlockItemSyntax.self) == true { index.functions.insert(node.name.plainName) }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let isOfType = node.modifiers.contains { ["static", "class"].contains($0.name.text) }
    guard !isOfType, let owner = node.enclosingTypeNames?.last else { return .skipChildren }
    let objectiveCName = node.attributes.objectiveCName
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName else {
        continue
      }
      index.properties[owner, default: [:]][name] = DeclarationIndex.Property(
        typeName: binding.typeAnnotation?.type.elementName,
        objectiveCName: objectiveCName
      )
    }
    return .skipChildren
  }
}

extension SyntaxProtocol {
  /// The names of the types that the node is in, the outermost first; `nil` outside of types.
  var enclosingTypeNames: [String]? {
    var names: [String] = []
    var current = parent
    while let node = current {
      if let type = node.asProtocol((any NamedDeclSyntax).self),
        node.asProtocol((any DeclGroupSyntax).self) != nil
      {
        names.insert(type.name.plainName, at: 0)
      } else if let type = node.as(ExtensionDeclSyntax.self) {
        names.insert(
          contentsOf: type.extendedType.trimmedDescription.split(separator: ".").map(String.init),
          at: 0
        )
      }
      current = node.parent
    }
    return names.isEmpty ? nil : names
  }
}

extension TokenSyntax {
  /// The name, without backticks.
  var plainName: String { text.filter { $0 != "`" } }
}

extension AttributeListSyntax {
  /// The name in `@objc(name)`, also where `#if` is around it.
  var objectiveCName: String? {
    for element in self {
      switch element {
      case .attribute(let attribute):
        if attribute.attributeName.trimmedDescription == "objc", let arguments = attribute.arguments {
          return arguments.trimmedDescription
        }
      case .ifConfigDecl(let conditional):
        for case .attributes(let list)? in conditional.clauses.map(\.elements) {
          if let name = list.objectiveCName { return name }
        }
      }
    }
    return nil
  }
}

extension TypeSyntax {
  /// The name of the class of a value, or of the elements of a collection: `Note` of `Note?`, `Set<Note>` and
  /// `Kit.Note`; `nil` for what has no such name.
  var elementName: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.elementName }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.elementName
    }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.elementName }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.plainName }
    guard let identifier = self.as(IdentifierTypeSyntax.self) else { return nil }
    let name = identifier.name.plainName
    guard let arguments = identifier.genericArgumentClause?.arguments else {
      return ["NSSet", "NSOrderedSet", "NSArray"].contains(name) ? nil : name
    }
    guard ["Set", "Array", "Optional"].contains(name), arguments.count == 1,
      let element = arguments.first?.argument.as(TypeSyntax.self)
    else { return name }
    return element.elementName
  }
}
