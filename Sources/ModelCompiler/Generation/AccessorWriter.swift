/// Writes the accessors of one member with `@NSManaged`.
struct AccessorWriter {
  let resolver: TypeResolver
  let place: AccessorPlace
  let member: ManagedMember
  /// A number that distinguishes the accessors of one class.
  let number: Int
  let keys: AccessorKeys
  /// The modules whose types public accessors use.
  private(set) var publicModules: Set<String> = []

  mutating func declarations() throws(UnresolvedType) -> [String] {
    switch member.kind {
    case .property(let type, _):
      // If the type is missing, the compiler reports the error itself.
      guard let type else { return [] }
      return try property(type)
    case .method(let parameters, let result): return [try method(parameters, result: result)]
    }
  }

  // MARK: - Properties

  private mutating func property(_ expression: TypeExpression) throws(UnresolvedType) -> [String] {
    let type = try resolver.type(expression, in: scope)
    let text = try text(of: type)
    let primitiveKey = keys.primitiveKey(of: member.name)
    let key = GeneratedExtension.literal(primitiveKey ?? member.name)
    let get = primitiveKey == nil ? "managedValue" : "primitiveManagedValue"
    let set = primitiveKey == nil ? "setManagedValue" : "setPrimitiveManagedValue"
    let getter = symbol(.getter, type: type)
    let setter = symbol(.setter, type: type)
    return [
      "\(heading(getter)) func \(name("get"))() -> \(text) { \(get)(\(key)) }",
      "\(heading(setter)) func \(name("set"))(_ value: __owned \(text)) { \(set)(value, \(key)) }",
    ]
  }

  private func symbol(_ accessor: SymbolMangler.Accessor, type: SwiftType) -> String {
    SymbolMangler.symbol(
      of: accessor,
      property: place.symbolName(of: member),
      type: type,
      in: place.context
    )
  }

  // MARK: - Methods

  private mutating func method(
    _ parameters: [ManagedMember.Parameter],
    result: TypeExpression
  ) throws(UnresolvedType) -> String {
    var types: [SwiftType.Element] = []
    for parameter in parameters {
      types.append(SwiftType.Element(label: parameter.label, type: try resolver.type(parameter.type, in: scope)))
    }
    let kinds = types.map { Self.kind(of: $0.type) }
    guard try resolver.type(result, in: scope) == .tuple([]), let kinds = Self.all(kinds),
      let method = ToManyMethod(
        name: member.name,
        labels: parameters.map(\.label),
        kinds: kinds,
        selector: member.selector,
        keys: keys
      )
    else { throw UnresolvedType(.unknownMethod(member.text)) }
    let symbol = SymbolMangler.symbol(
      ofMethod: place.symbolName(of: member),
      parameters: types,
      result: .tuple([]),
      in: place.context
    )
    var written: [String] = []
    for (index, element) in types.enumerated() { written.append("_ p\(index): \(try text(of: element.type))") }
    let list = written.joined(separator: ", ")
    return "\(heading(symbol)) func \(name("call"))(\(list)) { \(Self.body(method)) }"
  }

  private static func body(_ method: ToManyMethod) -> String {
    let key = GeneratedExtension.literal(method.key)
    return switch method.operation {
    case .add: "addManagedValue(p0, \(key))"
    case .addAll: "addManagedValues(p0, \(key))"
    case .remove: "removeManagedValue(p0, \(key))"
    case .removeAll: "removeManagedValues(p0, \(key))"
    case .intersect: "intersectManagedValues(p0, \(key))"
    case .insert: "insertManagedValue(p0, at: p1, \(key))"
    case .insertAll: "insertManagedValues(p0, at: p1, \(key))"
    case .removeAt: "removeManagedValue(at: p0, \(key))"
    case .removeAllAt: "removeManagedValues(at: p0, \(key))"
    case .replaceAt: "replaceManagedValue(at: p0, with: p1, \(key))"
    case .replaceAllAt: "replaceManagedValues(at: p0, with: p1, \(key))"
    }
  }

  private static func kind(of type: SwiftType) -> ToManyMethod.ParameterKind? {
    guard case .nominal(let nominal, _) = type else { return nil }
    switch nominal.path {
    case "Int" where nominal.module == "Swift": return .index
    case "IndexSet", "NSIndexSet": return .indexes
    case "Set", "Array", "NSSet", "NSOrderedSet", "NSArray", "NSMutableSet", "NSMutableOrderedSet": return .collection
    default: return nominal.kind == .class ? .object : nil
    }
  }

  private static func all(_ kinds: [ToManyMethod.ParameterKind?]) -> [ToManyMethod.ParameterKind]? {
    let known = kinds.compactMap { $0 }
    return known.count == kinds.count ? known : nil
  }

  // MARK: - Parts

  private var scope: TypeResolver.Scope {
    TypeResolver.Scope(file: place.declaration.file, declaration: place.declaration)
  }

  /// The attributes and the access level.
  ///
  /// The compiler treats a member with `@NSManaged` as `dynamic`. If its accessor were not `dynamic` too,
  /// other modules would not compile. `dynamic` also keeps the optimizer from inlining the accessors of
  /// private classes, whose callers use another type for the object.
  private func heading(_ symbol: String) -> String {
    let access = place.effectiveAccess(of: member)
    let inlining = member.isUsableFromInline ? "@usableFromInline " : ""
    let word = access >= .public ? "public " : access == .package ? "package " : ""
    return "@_silgen_name(\"\(symbol)\") \(inlining)\(word)dynamic final"
  }

  /// A name that differs from those of the superclasses' accessors.
  private func name(_ purpose: String) -> String {
    var parts = ["", place.nominal.path.replacing(".", with: "_"), member.name, purpose]
    if place.isPrivate { parts.append("\(place.declaration.file.discriminator.suffix(8))_\(number)") }
    return parts.joined(separator: "_")
  }

  private mutating func text(of type: SwiftType) throws(UnresolvedType) -> String {
    let type = try replacingPrivateClass(type)
    if member.isUsableFromInline || place.effectiveAccess(of: member) >= .package {
      publicModules.formUnion(type.nominals.map { KnownTypes.importName(of: $0.declaringModule) })
    }
    return place.printer.text(type)
  }

  /// Replaces a class that is private to a file, because generated code cannot name it. References to it
  /// and collections of it have the same layout for every class.
  private func replacingPrivateClass(_ type: SwiftType) throws(UnresolvedType) -> SwiftType {
    guard let hidden = type.nominals.first(where: \.isPrivate) else { return type }
    switch type {
    case .nominal(hidden, _) where hidden.kind == .class && resolver.isManagedObject(hidden) == true:
      return .plain(.managedObject)
    case .nominal(let holder, let arguments) where Self.holders.contains(holder):
      guard let held = arguments.first?.first else { return type }
      return .nominal(holder, arguments: [[try replacingPrivateClass(held)]])
    default: throw UnresolvedType(.hidden(hidden.path))
    }
  }

  private static let holders: Set<NominalType> = [.optional, .array, .set]
}
