import ModelCompiler
import SwiftSyntax

/// The declarations in the files that are ported together, as far as they are known by name alone.
struct DeclarationIndex {
  struct Property: Hashable {
    /// The class of the value, or of the elements of a collection; `nil` when the declaration does
    /// not say.
    var typeName: String?
    /// The name that `@objc(name)` gives it.
    var objectiveCName: String?
    /// `NSSet` or `NSMutableSet`, if the value is such a set or none.
    var foundationSet: String?
  }

  struct TypeDeclaration: Hashable {
    enum Access: Hashable {
      case file, module, `public`
    }

    var file: String
    var access: Access
    /// The word that imports the type by name, such as `struct`.
    var importWord: String

    var folder: String { SwiftFile.folder(of: file) }
  }

  /// A method, as far as a selector may lead to it.
  struct Method: Hashable {
    /// The labels of the parameters, `_` where there is none.
    var labels: [String]
    /// The types of the parameters, as they are written.
    var parameters: [String]
    /// True when it can be called without waiting, and without changing to another actor.
    var isPlain: Bool
  }

  fileprivate(set) var properties: [String: [String: Property]] = [:]
  fileprivate(set) var methods: [String: [String: [Method]]] = [:]
  /// The classes whose members belong to the main actor, as far as they say so themselves.
  fileprivate(set) var mainActorClasses: Set<String> = []
  /// The classes that stop observing at some time before they are gone.
  private(set) var removedObservers: Set<String> = []
  /// The classes that the build generates from models, and what they inherit from.
  var generatedClasses: [String: GeneratedClasses.Heading] = [:]
  /// The optional requirements that can have an implementation, and those that cannot, by name.
  fileprivate(set) var optionalRequirements: [String: Bool] = [:]
  private var userDefaults = UserDefaultsNames()
  fileprivate(set) var superclasses: [String: String] = [:]
  /// The uses that functions make of generic requests, by the names of the functions.
  fileprivate(set) var requestUses: [String: RequestUse] = [:]
  /// The functions at the top of a file.
  fileprivate(set) var functions: Set<String> = []
  /// The constants and variables at the top of a file.
  fileprivate(set) var values: Set<String> = []

  /// The types at the top of a file, by name.
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

  /// The classes that a class inherits from, as far as the files tell, the nearest first.
  func ancestors(of typeName: String) -> [String] {
    var ancestors: [String] = []
    var current = superclasses[typeName]
    // Broken sources may have classes that inherit from themselves.
    while let name = current, !ancestors.contains(name) {
      ancestors.append(name)
      current = superclasses[name]
    }
    return ancestors
  }

  /// Returns true when a file other than the given one has the word.
  func isMentioned(_ name: String, outside file: SwiftFile) -> Bool {
    files.contains { other in
      other.path != file.path
        && other.tree.tokens(viewMode: .sourceAccurate).contains { $0.plainName == name }
    }
  }

  /// The methods of a name that a type has, or the nearest type that it inherits from.
  func methods(_ name: String, of typeName: String) -> [Method] {
    ([typeName] + ancestors(of: typeName)).lazy.compactMap { methods[$0]?[name] }.first ?? []
  }

  /// Returns true when a file says of everything that has a name that it is user defaults, or the
  /// other files do where this one does not declare it.
  func isUserDefaults(_ name: String, in file: SwiftFile) -> Bool { userDefaults.contains(name, in: file) }

  /// Returns true when the name is that of an optional requirement that has an implementation here,
  /// and of nothing else that may be called with a question mark.
  func isOptionalRequirement(_ name: String) -> Bool {
    optionalRequirements[name] == true && !properties.values.contains { $0[name] != nil }
  }

  /// A property of a type or of one that it inherits from.
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

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "struct")
    return .visitChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "enum")
    return .visitChildren
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "class")
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "protocol")
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "typealias")
    return .skipChildren
  }

  private func record(_ node: some NamedDeclSyntax, modifiers: DeclModifierListSyntax, importWord: String)
  {
    guard node.parent?.is(CodeBlockItemSyntax.self) == true else { return }
    let words = modifiers.filter { $0.detail == nil }.map(\.name.text)
    let access: DeclarationIndex.TypeDeclaration.Access =
      if words.contains("public") || words.contains("open") {
        .public
      } else if words.contains("private")
        || words.contains("fileprivate")
      { .file } else { .module }
    index.types[node.name.plainName, default: []].append(
      DeclarationIndex.TypeDeclaration(file: path, access: access, importWord: importWord)
    )
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    record(node, modifiers: node.modifiers, importWord: "class")
    index.superclasses[node.name.plainName] = node.inheritanceClause?.inheritedTypes.first?.type.elementName
    if node.attributes.contains(named: "MainActor") { index.mainActorClasses.insert(node.name.plainName) }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.genericParameterClause != nil {
      index.requestUses[node.name.plainName, default: RequestUse()].add(node)
    }
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

extension PatternBindingSyntax {
  /// The name that is declared, without backticks; `nil` where several are at once.
  fileprivate var propertyName: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName }
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
  /// `NSSet` or `NSMutableSet`, if it is that type or an optional of it.
  var foundationSet: String? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.foundationSet }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.foundationSet
    }
    guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return nil }
    return ["NSSet", "NSMutableSet"].contains(name) ? name : nil
  }

  /// The name of the class of a value, or of the elements of a collection: `Note` of `Note?`,
  /// `Set<Note>` and `Kit.Note`; `nil` for what has no such name.
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
