/// Builds the symbols of the accessors that the compiler expects for a declaration with `@NSManaged`.
struct SymbolMangler {
  /// The type or extension that declares a member.
  struct Context: Hashable {
    var type: NominalType
    /// The module of the extension that declares the member, if the type is from another module.
    var extensionModule: String?
  }

  /// The name of a member, with the discriminator of its file if the member is private to it.
  struct MemberName: Hashable {
    var name: String
    var discriminator: String?
  }

  enum Accessor: String {
    case getter = "g"
    case setter = "s"
  }

  private var symbol = SymbolText(prefix: "$s")

  private init() {}

  /// The symbol of the getter or the setter of a property.
  static func symbol(
    of accessor: Accessor,
    property: MemberName,
    type: SwiftType,
    in context: Context
  ) -> String {
    var mangler = SymbolMangler()
    mangler.appendContext(context)
    mangler.appendName(property)
    mangler.appendType(type)
    mangler.symbol.append("v\(accessor.rawValue)")
    return mangler.symbol.text
  }

  /// The symbol of a method.
  static func symbol(
    ofMethod method: MemberName,
    parameters: [SwiftType.Element],
    result: SwiftType,
    in context: Context
  ) -> String {
    var mangler = SymbolMangler()
    mangler.appendContext(context)
    mangler.appendName(method)
    mangler.appendLabels(parameters.map(\.label))
    mangler.appendType(result)
    mangler.appendParameters(parameters)
    mangler.symbol.append("F")
    return mangler.symbol.text
  }

  // MARK: - Declarations

  private mutating func appendContext(_ context: Context) {
    appendNominal(context.type)
    appendExtension(context.extensionModule)
  }

  private mutating func appendExtension(_ module: String?) {
    guard let module else { return }
    appendModule(module)
    symbol.append("E")
  }

  private mutating func appendModule(_ module: String) {
    if module == "Swift" { symbol.append("s") } else { symbol.appendIdentifier(module) }
  }

  private mutating func appendName(_ member: MemberName) {
    symbol.appendIdentifier(member.name)
    appendDiscriminator(member.discriminator)
  }

  private mutating func appendDiscriminator(_ discriminator: String?) {
    guard let discriminator else { return }
    symbol.appendIdentifier(discriminator)
    symbol.append("LL")
  }

  private mutating func appendLabels(_ labels: [String?]) {
    if labels.isEmpty { return }
    guard labels.contains(where: { $0 != nil }) else { return symbol.append("y") }
    for label in labels {
      if let label { symbol.appendIdentifier(label) } else { symbol.append("_") }
    }
  }

  /// Appends parameters. A single unlabeled parameter is its type alone, unless the type is a tuple.
  private mutating func appendParameters(_ parameters: [SwiftType.Element]) {
    if parameters.count == 1, parameters[0].label == nil {
      if case .tuple = parameters[0].type {} else { return appendType(parameters[0].type) }
    }
    appendElements(parameters.map { SwiftType.Element(type: $0.type) })
  }

  // MARK: - Types

  private mutating func appendType(_ type: SwiftType) {
    switch type {
    case .nominal(let nominal, let arguments):
      if arguments.isEmpty { appendNominal(nominal) } else { appendGeneric(nominal, arguments: arguments) }
    case .existential(let protocols, let isClassBound):
      appendProtocols(protocols)
      symbol.append(isClassBound ? "Xl" : "p")
    case .tuple(let elements): appendElements(elements)
    case .metatype(let instance):
      appendType(instance)
      if case .existential = instance { symbol.append("Xp") } else { symbol.append("m") }
    }
  }

  private mutating func appendElements(_ elements: [SwiftType.Element]) {
    if elements.isEmpty { return symbol.append("y") }
    for (index, element) in elements.enumerated() {
      appendType(element.type)
      if let label = element.label { symbol.appendIdentifier(label) }
      if index == 0 { symbol.append("_") }
    }
    symbol.append("t")
  }

  private mutating func appendGeneric(_ nominal: NominalType, arguments: [[SwiftType]]) {
    let type = SwiftType.nominal(nominal, arguments: arguments)
    if symbol.appendReference(to: .type(type)) { return }
    if let wrapped = type.wrapped {
      appendType(wrapped)
      symbol.append("Sg")
    } else {
      appendNominal(nominal)
      for (level, list) in arguments.enumerated() {
        symbol.append(level == 0 ? "y" : "_")
        for argument in list { appendType(argument) }
      }
      symbol.append("G")
    }
    symbol.add(.type(type))
  }

  private mutating func appendNominal(_ type: NominalType) {
    if let letter = StandardLetters.letter(of: type) { return symbol.appendStandardType(letter) }
    if symbol.appendReference(to: .nominal(type)) { return }
    appendDeclaration(type)
    symbol.append(type.kind.rawValue)
    symbol.add(.nominal(type))
  }

  /// Appends the name of a type after the names of the enclosing types.
  private mutating func appendDeclaration(_ type: NominalType) {
    if let parent = type.parent { appendNominal(parent) } else { appendModule(type.module) }
    let component = type.components[type.components.count - 1]
    appendExtension(component.extensionModule)
    appendName(MemberName(name: component.name, discriminator: component.discriminator))
  }

  /// Appends the protocols of an existential type, sorted by name.
  private mutating func appendProtocols(_ protocols: [NominalType]) {
    if protocols.isEmpty { return symbol.append("y") }
    let ordered = protocols.sorted { ($0.name, $0.module) < ($1.name, $1.module) }
    for (index, type) in ordered.enumerated() {
      if let letter = StandardLetters.letter(of: type) {
        symbol.appendStandardType(letter)
      } else {
        appendDeclaration(type)
      }
      if index == 0 { symbol.append("_") }
    }
  }
}

/// The types of the standard library that have their own letter in symbols.
enum StandardLetters {
  static func letter(of type: NominalType) -> UInt8? {
    guard type.module == "Swift", type.components.count == 1 else { return nil }
    return letters[type.name]?.asciiValue
  }

  private static let letters: [String: Character] = [
    "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i",
    "Character": "J", "ClosedRange": "N", "Range": "n", "ObjectIdentifier": "O", "Optional": "q",
    "String": "S",
    "Substring": "s", "UInt": "u", "UnsafePointer": "P", "UnsafeMutablePointer": "p",
    "UnsafeBufferPointer": "R", "UnsafeMutableBufferPointer": "r", "UnsafeRawPointer": "V",
    "UnsafeMutableRawPointer": "v", "UnsafeRawBufferPointer": "W", "UnsafeMutableRawBufferPointer": "w",
    "DefaultIndices": "I", "BinaryFloatingPoint": "B", "Encodable": "E", "Decodable": "e",
    "FloatingPoint": "F",
    "RandomNumberGenerator": "G", "Hashable": "H", "Numeric": "j", "BidirectionalCollection": "K",
    "RandomAccessCollection": "k", "Comparable": "L", "Collection": "l", "MutableCollection": "M",
    "RangeReplaceableCollection": "m", "Equatable": "Q", "Sequence": "T", "IteratorProtocol": "t",
    "UnsignedInteger": "U", "RangeExpression": "X", "Strideable": "x", "RawRepresentable": "Y",
    "StringProtocol": "y", "SignedInteger": "Z", "BinaryInteger": "z",
  ]
}
