/// Resolves the types in sources by the compiler's rules for name lookup.
final class TypeResolver {
  /// The context in which a type is written.
  struct Scope {
    var file: SourceFile
    /// The innermost enclosing declaration.
    var declaration: Declaration?
    /// The arguments for the parameters of a generic type alias.
    var bindings: [String: SwiftType] = [:]
  }

  /// A type, an alias or a module that a name refers to.
  enum Entity {
    case nominal(NominalType)
    case alias(TypeExpression, parameters: [String], scope: Scope)
    case type(SwiftType)
    case module(String)
  }

  let module: SourceModule
  let dependencies: [String: SourceModule]
  private var nominals: [ObjectIdentifier: NominalType] = [:]
  /// The extensions whose type is being resolved, which prevents endless recursion.
  private var extensionsUnderway: Set<ObjectIdentifier> = []
  /// The number of nested aliases that are being resolved.
  private var aliasDepth = 0

  init(module: SourceModule, dependencies: [SourceModule]) {
    self.module = module
    self.dependencies = Dictionary(
      dependencies.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  // MARK: - Types

  func type(_ expression: TypeExpression, in scope: Scope) throws(UnresolvedType) -> SwiftType {
    switch expression {
    case .name(let name): return try apply(entity(expression, in: scope), name: name, outer: [], scope: scope)
    case .member(let base, let name):
      let outer = try outerArguments(of: base, in: scope)
      return try apply(entity(expression, in: scope), name: name, outer: outer, scope: scope)
    case .composition(let parts): return try composition(parts, in: scope)
    case .tuple(let elements):
      var resolved: [SwiftType.Element] = []
      for element in elements {
        resolved.append(SwiftType.Element(label: element.label, type: try type(element.type, in: scope)))
      }
      return .tuple(resolved)
    case .metatype(let instance): return .metatype(try type(instance, in: scope))
    case .unsupported(let text): throw UnresolvedType(.unsupported(text))
    }
  }

  /// The class, structure, enumeration or protocol that an extension or an inheritance clause refers to.
  func nominal(_ expression: TypeExpression, in scope: Scope) throws(UnresolvedType) -> NominalType {
    switch try entity(expression, in: scope) {
    case .nominal(let nominal): return nominal
    case .type(.nominal(let nominal, _)): return nominal
    case .alias(let target, _, let scope): return try nominal(target, in: scope)
    case .type, .module: throw UnresolvedType(.unsupported("\(expression.text)"))
    }
  }

  /// The generic arguments of the types around a member type, one list for each level.
  private func outerArguments(of base: TypeExpression, in scope: Scope) throws(UnresolvedType) -> [[SwiftType]] {
    if case .module = try entity(base, in: scope) { return [] }
    guard case .nominal(let nominal, let arguments) = try type(base, in: scope) else { return [] }
    return arguments.isEmpty ? nominal.components.map { _ in [] } : arguments
  }

  private func apply(
    _ entity: Entity,
    name: TypeExpression.Name,
    outer: [[SwiftType]],
    scope: Scope
  ) throws(UnresolvedType) -> SwiftType {
    var arguments: [SwiftType] = []
    for argument in name.arguments { arguments.append(try type(argument, in: scope)) }
    switch entity {
    case .nominal(let nominal): return try apply(nominal, arguments: arguments, outer: outer)
    case .alias(let target, let parameters, var scope):
      guard parameters.count == arguments.count else { throw UnresolvedType(.generic(name.name)) }
      guard aliasDepth < 50 else { throw UnresolvedType(.unsupported(name.name)) }
      aliasDepth += 1
      defer { aliasDepth -= 1 }
      scope.bindings = Dictionary(zip(parameters, arguments), uniquingKeysWith: { first, _ in first })
      return try type(target, in: scope)
    case .type(let type): return type
    case .module(let module): throw UnresolvedType(.unsupported(module))
    }
  }

  private func apply(
    _ nominal: NominalType,
    arguments: [SwiftType],
    outer: [[SwiftType]]
  ) throws(UnresolvedType) -> SwiftType {
    if nominal.kind == .protocol {
      guard arguments.isEmpty else { throw UnresolvedType(.unsupported("any \(nominal.name)<…>")) }
      return .existential(Self.implicitProtocols.contains(nominal.path) ? [] : [nominal], isClassBound: false)
    }
    let component = nominal.components[nominal.components.count - 1]
    guard arguments.count == component.parameterCount else { throw UnresolvedType(.generic(nominal.path)) }
    guard nominal.isGeneric else { return .plain(nominal) }
    var lists = outer.isEmpty ? nominal.components.dropLast().map { _ in [] } : outer
    lists.append(arguments)
    for (component, list) in zip(nominal.components, lists) where component.parameterCount != list.count {
      throw UnresolvedType(.generic(nominal.path))
    }
    return .nominal(nominal, arguments: lists)
  }

  private func composition(_ parts: [TypeExpression], in scope: Scope) throws(UnresolvedType) -> SwiftType {
    var protocols: [NominalType] = []
    for part in parts {
      guard case .existential(let more, isClassBound: false) = try type(part, in: scope) else {
        throw UnresolvedType(.unsupported(parts.map(\.text).joined(separator: " & ")))
      }
      for type in more where !protocols.contains(type) { protocols.append(type) }
    }
    return .existential(protocols, isClassBound: false)
  }

  /// Protocols to which all types conform by default, and which symbols leave out.
  private static let implicitProtocols: Set = ["Copyable", "Escapable"]

  // MARK: - Declarations

  /// The type that a declaration declares, or that an extension extends.
  func nominal(of declaration: Declaration) throws(UnresolvedType) -> NominalType {
    if let known = nominals[ObjectIdentifier(declaration)] { return known }
    let nominal: NominalType
    switch declaration.role {
    case .type(let kind): nominal = try makeNominal(declaration, kind: kind)
    case .extension(let type):
      guard extensionsUnderway.insert(ObjectIdentifier(declaration)).inserted else {
        throw UnresolvedType(.unsupported(type.text))
      }
      defer { extensionsUnderway.remove(ObjectIdentifier(declaration)) }
      nominal = try self.nominal(type, in: Scope(file: declaration.file))
    case .alias(let type):
      nominal = try self.nominal(type, in: Scope(file: declaration.file, declaration: declaration.parent))
    }
    nominals[ObjectIdentifier(declaration)] = nominal
    return nominal
  }

  private func makeNominal(_ declaration: Declaration, kind: NominalType.Kind) throws(UnresolvedType) -> NominalType {
    var component = NominalType.Component(name: declaration.name, kind: kind)
    component.parameterCount = declaration.genericParameters.count
    let module = declaration.file.module.name
    guard let parent = declaration.parent else {
      if declaration.access.isPrivate { component.discriminator = declaration.file.discriminator }
      return NominalType(module: module, components: [component])
    }
    let outer = try nominal(of: parent)
    if declaration.access.isPrivate, !outer.isPrivate { component.discriminator = declaration.file.discriminator }
    if outer.declaringModule != module { component.extensionModule = module }
    return NominalType(module: outer.module, components: outer.components + [component])
  }
}
