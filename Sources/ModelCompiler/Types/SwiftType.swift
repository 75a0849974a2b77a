/// A type in which all names are resolved.
indirect enum SwiftType: Hashable, Sendable {
  /// An element of a tuple or a parameter.
  struct Element: Hashable, Sendable {
    var label: String?
    var type: SwiftType
  }

  /// A named type with its generic arguments, one list for each of its components. There are no lists if
  /// no component is generic.
  case nominal(NominalType, arguments: [[SwiftType]])
  /// `any P & Q`. Without protocols it is `Any`, or `AnyObject` if it is limited to classes.
  case existential([NominalType], isClassBound: Bool)
  case tuple([Element])
  /// A metatype, such as `Note.Type`.
  case metatype(SwiftType)

  static func plain(_ type: NominalType) -> SwiftType { .nominal(type, arguments: []) }
  static func optional(_ wrapped: SwiftType) -> SwiftType {
    .nominal(.optional, arguments: [[wrapped]])
  }

  /// The type that an optional type wraps; `nil` for any other.
  var wrapped: SwiftType? {
    if case .nominal(.optional, let arguments) = self { return arguments.first?.first }
    return nil
  }

  /// All named types in this one, including itself.
  var nominals: [NominalType] {
    switch self {
    case .nominal(let type, let arguments): [type] + arguments.joined().flatMap(\.nominals)
    case .existential(let protocols, _): protocols
    case .tuple(let elements): elements.flatMap(\.type.nominals)
    case .metatype(let type): type.nominals
    }
  }
}

/// A class, structure, enumeration or protocol, identified as in symbols: by its module and the enclosing types.
struct NominalType: Hashable, Sendable {
  /// The kinds of types, as their letters in symbols.
  enum Kind: String, Hashable, Sendable {
    case `class` = "C"
    case structure = "V"
    case enumeration = "O"
    case `protocol` = "P"
  }

  /// One component of the path from the module to the type.
  struct Component: Hashable, Sendable {
    var name: String
    var kind: Kind
    /// The discriminator of the file, for a declaration that is private to it; `nil` for others.
    var discriminator: String?
    /// The module of the extension that contains the declaration, if the enclosing type is from another module.
    var extensionModule: String?
    /// The number of the declaration's own generic parameters.
    var parameterCount = 0
  }

  /// The module of the outermost type.
  var module: String
  /// The components from the outermost type to this one; never empty.
  var components: [Component]

  init(module: String, components: [Component]) {
    self.module = module
    self.components = components
  }

  /// A type at the top level of a module.
  init(module: String, kind: Kind, name: String, parameterCount: Int = 0) {
    self.init(module: module, components: [Component(name: name, kind: kind, parameterCount: parameterCount)])
  }

  /// The module that declares the type itself.
  var declaringModule: String { components.reversed().lazy.compactMap(\.extensionModule).first ?? module }

  var kind: Kind { components[components.count - 1].kind }
  var name: String { components[components.count - 1].name }

  /// The names from the outermost type to this one.
  var path: String { components.map(\.name).joined(separator: ".") }

  /// The enclosing type.
  var parent: NominalType? {
    components.count > 1 ? NominalType(module: module, components: Array(components.dropLast())) : nil
  }

  /// True when only one file can see the type.
  var isPrivate: Bool { components.contains { $0.discriminator != nil } }

  var isGeneric: Bool { components.contains { $0.parameterCount > 0 } }
}

extension NominalType {
  static let optional = NominalType(module: "Swift", kind: .enumeration, name: "Optional", parameterCount: 1)
  static let array = NominalType(module: "Swift", kind: .structure, name: "Array", parameterCount: 1)
  static let dictionary = NominalType(
    module: "Swift",
    kind: .structure,
    name: "Dictionary",
    parameterCount: 2
  )
  static let set = NominalType(module: "Swift", kind: .structure, name: "Set", parameterCount: 1)
  static let managedObject = NominalType(module: "CoreData", kind: .class, name: "NSManagedObject")
}
