/// A type of which every name is known to the last.
indirect enum SwiftType: Hashable, Sendable {
  /// An element of a tuple or a parameter.
  struct Element: Hashable, Sendable {
    var label: String?
    var type: SwiftType
  }

  /// A named type with its generic arguments, one list for each of its components; no list where it takes none.
  case nominal(NominalType, arguments: [[SwiftType]])
  /// `any P & Q`; without protocols `Any`, or `AnyObject` where it is bound to classes.
  case existential([NominalType], isClassBound: Bool)
  case tuple([Element])
  /// `Note.Type`
  case metatype(SwiftType)

  static func plain(_ type: NominalType) -> SwiftType { .nominal(type, arguments: []) }
  static func optional(_ wrapped: SwiftType) -> SwiftType {
    .nominal(.optional, arguments: [[wrapped]])
  }

  /// What is in an optional type.
  var wrapped: SwiftType? {
    if case .nominal(.optional, let arguments) = self { return arguments.first?.first }
    return nil
  }

  /// All the named types in this one, itself included.
  var nominals: [NominalType] {
    switch self {
    case .nominal(let type, let arguments): [type] + arguments.joined().flatMap(\.nominals)
    case .existential(let protocols, _): protocols
    case .tuple(let elements): elements.flatMap(\.type.nominals)
    case .metatype(let type): type.nominals
    }
  }
}
