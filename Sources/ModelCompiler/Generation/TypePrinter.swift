/// Writes types as generated code refers to them inside an extension of a class.
struct TypePrinter {
  let resolver: TypeResolver
  /// The extended class.
  let context: NominalType
  /// A file of the target whose imports the generated file repeats.
  let file: SourceFile

  func text(_ type: SwiftType) -> String {
    switch type {
    case .nominal(.optional, let arguments): return "\(operand(arguments.joined().first ?? .tuple([])))?"
    case .nominal(.array, let arguments): return "[\(arguments.joined().map(text).joined())]"
    case .nominal(.dictionary, let arguments): return "[\(arguments.joined().map(text).joined(separator: ": "))]"
    case .nominal(let nominal, let arguments): return name(nominal, arguments: arguments)
    case .existential(let protocols, let isClassBound):
      if protocols.isEmpty { return isClassBound ? "AnyObject" : "Any" }
      return "any " + protocols.map { name($0, arguments: []) }.joined(separator: " & ")
    case .tuple(let elements):
      return "(" + elements.map { ($0.label.map { "\($0): " } ?? "") + text($0.type) }.joined(separator: ", ")
        + ")"
    case .metatype(let instance): return "\(text(instance)).Type"
    }
  }

  /// The name of a type without generic arguments.
  func name(_ nominal: NominalType) -> String { name(nominal, arguments: []) }

  private func operand(_ type: SwiftType) -> String {
    switch type {
    case .existential(let protocols, _) where !protocols.isEmpty: "(\(text(type)))"
    case .metatype(.existential): "(\(text(type)))"
    default: text(type)
    }
  }

  private func name(_ nominal: NominalType, arguments: [[SwiftType]]) -> String {
    var names: [String] = []
    if !resolver.canSee(nominal, from: context, in: file) { names.append(KnownTypes.importName(of: nominal.module)) }
    for (index, component) in nominal.components.enumerated() {
      let list = index < arguments.count ? arguments[index] : []
      let suffix = list.isEmpty ? "" : "<\(list.map(text).joined(separator: ", "))>"
      names.append(Self.identifier(component.name) + suffix)
    }
    return names.joined(separator: ".")
  }

  /// A name, in backticks if it is a keyword.
  static func identifier(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  private static let keywords: Set = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while", "Type", "Protocol",
  ]
}
