import ModelCompiler
import SwiftSyntax

/// The declarations in the files that are ported together, as far as their names alone identify them.
struct DeclarationIndex {
  struct Property: Hashable {
    /// The class of the value, or of a collection's elements; `nil` when the declaration does not state it.
    var typeName: String?
    /// The name in `@objc(name)`.
    var objectiveCName: String?
    /// `NSSet` or `NSMutableSet`, if the value has that type or an optional of it.
    var foundationSet: String?
  }

  struct TypeDeclaration: Hashable {
    enum Access: Hashable {
      case file, module, `public`
    }

    var file: String
    var access: Access
    /// The keyword that imports the type by name, such as `struct`.
    var importWord: String

    var folder: String { SwiftFile.folder(of: file) }
  }

  /// A method to which a selector may refer.
  struct Method: Hashable {
    /// The labels of the parameters, with `_` for a missing one.
    var labels: [String]
    /// The types of the parameters, as the source writes them.
    var parameters: [String]
    /// True when it can be called synchronously and without a change of actor.
    var isPlain: Bool
  }

  fileprivate(set) var properties: [String: [String: Property]] = [:]
  fileprivate(set) var methods: [String: [String: [Method]]] = [:]
  /// The classes that declare themselves that their members belong to the main actor.
  fileprivate(set) var mainActorClasses: Set<String> = []
  /// The classes that remove themselves as observers outside of `deinit`.
  private(set) var removedObservers: Set<String> = []
  /// The classes that the build generates from models, with their superclasses.
  var generatedClasses: [String: GeneratedClasses.Heading] = [:]
  /// The optional requirements by name: true for those that can have a default implementation.
  fileprivate(set) var optionalRequirements: [String: Bool] = [:]
  private var userDefaults = UserDefaultsNames()
  fileprivate(set) var superclasses: [String: String] = [:]
  /// How functions use generic requests, by the names of the functions.
  fileprivate(set) var requestUses: [String: RequestUse] = [:]
  /// The functions at the top level of a file.
  fileprivate(set) var functions: Set<String> = []
  /// The constants and variables at the top level of a file.
  fileprivate(set) var values: Set<String> = []

  /// The types at the top level of a file, by name.
  fileprivate(set) var types: [String: [TypeDeclaration]] = [:]
  private var files: [SwiftFile] = []

  init(_ files: [SwiftFile]) {
    self.files = files
    for file in files {
      let reader = DeclarationReader(file.path)
      reader.index = self
      reader.walk(file.tree)
      self = reader.index
      userDefaults.add(file)
      let removals = ObserverRemovals(viewMode: .sourceAccurate)
      removals.walk(file.tree)
      removedObservers.formUnion(removals.classes)
    }
  }

  fileprivate init() {}

  /// The superclasses of a class, as far as the files declare them, the nearest first.
  func ancestors(of typeName: String) -> [String] {
    var ancestors: [String] = []
    var current = superclasses[typeName]
    // In broken sources a class may inherit from itself.
    while let name = current, !ancestors.contains(name) {
      ancestors.append(name)
      current = superclasses[name]
    }
    return ancestors
  }

  /// Returns true when another file than the given one contains the word.
  func isMentioned(_ name: String, outside file: SwiftFile) -> Bool {
    files.contains { other in
      other.path != file.path
        && other.tree.tokens(viewMode: .sourceAccurate).contains { $0.plainName == name }
    }
  }

  /// The methods with a name in a type, or in the nearest superclass that has any.
  func methods(_ name: String, of typeName: String) -> [Method] {
    ([typeName] + ancestors(of: typeName)).lazy.compactMap { methods[$0]?[name] }.first ?? []
  }

  /// Returns true when all declarations of a name in a file are user defaults. If the file does not declare
  /// the name, the declarations of the other files decide.
  func isUserDefaults(_ name: String, in file: SwiftFile) -> Bool { userDefaults.contains(name, in: file) }

  /// Returns true when a name belongs to an optional requirement with a default implementation, and to
  /// nothing else that may be called with a question mark.
  func isOptionalRequirement(_ name: String) -> Bool {
    optionalRequirements[name] == true && !properties.values.contains { $0[name] != nil }
  }

  /// A property of a type or of one of its superclasses.
  func property(_ name: String, of typeName: String) -> Property? {
    ([typeName] + ancestors(of: typeName)).lazy.compactMap { properties[$0]?[name] }.first
  }
}

private final class DeclarationReader: SyntaxVisitor {
  var index = DeclarationIndex()
  private let path: String

  init(_ path: String) {
    self.path = path
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { record(node, as: "struct") }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { record(node, as: "enum") }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { record(node, as: "class") }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { record(node, as: "protocol") }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    _ = record(node, as: "typealias")
    return .skipChildren
  }

  private func record(
    _ node: some NamedDeclSyntax & WithModifiersSyntax,
    as importWord: String
  ) -> SyntaxVisitorContinueKind {
    guard node.parent?.is(CodeBlockItemSyntax.self) == true else { return .visitChildren }
    let words = Set(node.modifiers.filter { $0.detail == nil }.map(\.name.text))
    let access: DeclarationIndex.TypeDeclaration.Access =
      if !words.isDisjoint(with: ["public", "open"]) {
        .public
      } else if !words.isDisjoint(with: ["private", "fileprivate"]) {
        .file
      } else {
        .module
      }
    index.types[node.name.plainName, default: []].append(
      DeclarationIndex.TypeDeclaration(file: path, access: access, importWord: importWord)
    )
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    _ = record(node, as: "class")
    index.superclasses[node.name.plainName] = node.inheritanceClause?.inheritedTypes.first?.type.elementName
    if node.attributes.contains(named: "MainActor") { index.mainActorClasses.insert(node.name.plainName) }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.genericParameterClause != nil { index.requestUses[node.name.plainName, default: RequestUse()].add(node) }
    let name = node.name.plainName
    if node.parent?.is(CodeBlockItemSyntax.self) == true { index.functions.insert(name) }
    if let owner = node.enclosingTypeNames?.last {
      index.methods[owner, default: [:]][name, default: []].append(DeclarationIndex.Method(node))
    }
    if node.isOptionalRequirement {
      index.optionalRequirements[name] =
        node.resultWithoutImplementation != nil && index.optionalRequirements[name] != false
    }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let isOfType = node.modifiers.contains { ["static", "class"].contains($0.name.text) }
    guard let owner = node.enclosingTypeNames?.last else {
      index.values.formUnion(node.bindings.compactMap(\.propertyName))
      return .skipChildren
    }
    if isOfType { return .skipChildren }
    let objectiveCName = node.attributes.objectiveCName
    for binding in node.bindings {
      guard let name = binding.propertyName else { continue }
      index.properties[owner, default: [:]][name] = DeclarationIndex.Property(
        typeName: binding.typeAnnotation?.type.elementName,
        objectiveCName: objectiveCName,
        foundationSet: binding.typeAnnotation?.type.foundationSet
      )
    }
    return .skipChildren
  }
}

extension DeclarationIndex.Method {
  fileprivate init(_ node: FunctionDeclSyntax) {
    let parameters = node.signature.parameterClause.parameters
    labels = parameters.map(\.firstName.plainName)
    self.parameters = parameters.map(\.type.trimmedDescription)
    isPlain =
      node.signature.effectSpecifiers?.asyncSpecifier == nil && !node.attributes.contains(named: "MainActor")
  }
}

extension AttributeListSyntax {
  func contains(named name: String) -> Bool {
    contains { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == name }
  }
}

extension SyntaxProtocol {
  /// The names of the enclosing types, the outermost first; `nil` outside of types.
  var enclosingTypeNames: [String]? {
    var names: [String] = []
    var current = parent
    while let node = current {
      if let type = node.asProtocol((any NamedDeclSyntax).self),
        node.asProtocol((any DeclGroupSyntax).self) != nil
      {
        names.insert(type.name.plainName, at: 0)
      } else if let type = node.as(ExtensionDeclSyntax.self) {
        names.insert(contentsOf: type.extendedType.trimmedDescription.split(separator: ".").map(String.init), at: 0)
      }
      current = node.parent
    }
    return names.isEmpty ? nil : names
  }
}

extension TokenSyntax {
  /// The text of the token without backticks.
  var plainName: String { text.filter { $0 != "`" } }
}

extension PatternBindingSyntax {
  /// The declared name, without backticks; `nil` if the pattern declares several.
  fileprivate var propertyName: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName }
}

extension AttributeListSyntax {
  /// The name in `@objc(name)`, even if `#if` is around the attribute.
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
  /// `NSSet` or `NSMutableSet`, if it is that type or an optional of it; otherwise `nil`.
  var foundationSet: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.foundationSet }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.foundationSet }
    guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return nil }
    return ["NSSet", "NSMutableSet"].contains(name) ? name : nil
  }

  /// The class name of a value, or of a collection's elements: `Note` for `Note?`, `Set<Note>` and
  /// `Kit.Note`. It is `nil` for a type without such a name.
  var elementName: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.elementName }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.elementName }
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
