/// The types of the toolchain's modules, whose sources are not available.
enum KnownTypes {
  /// The type or the alias that a name refers to.
  enum Entry {
    case nominal(NominalType)
    case alias(TypeExpression)
  }

  /// The type or the alias of a name, which begins with the names of the enclosing types: `Calendar.Identifier`.
  ///
  /// - Parameter module: the module that the source names, or `nil` if it does not name one.
  static func entry(_ path: String, in module: String? = nil) -> Entry? {
    if let alias = aliases[path], module.map({ modules(of: $0).contains(alias.module) }) ?? true {
      return .alias(alias.type)
    }
    guard let type = nominal(path) else { return nil }
    if let module, !modules(of: module).contains(type.module) { return nil }
    return .nominal(type)
  }

  /// Returns true for a module with known types.
  static func knows(_ module: String) -> Bool { families.keys.contains(module) || moduleNames.contains(module) }

  /// The name that sources import for a module.
  static func importName(of module: String) -> String {
    families.first { $0.value.contains(module) }?.key ?? module
  }

  /// All types, by path.
  static var paths: [String] { records.keys.sorted() }

  private struct Record {
    var module: String
    var kind: NominalType.Kind
    var parameterCount: Int
  }

  private static func modules(of name: String) -> Set<String> { families[name] ?? [name] }

  /// The modules whose types appear under the name of another module.
  private static let families: [String: Set<String>] = [
    "Foundation": ["Foundation", "FoundationEssentials", "FoundationInternationalization"]
  ]

  private static let moduleNames = Set(records.values.map(\.module))

  private static func nominal(_ path: String) -> NominalType? {
    guard let record = records[path] else { return nil }
    let names = path.split(separator: ".").map(String.init)
    var component = NominalType.Component(name: names[names.count - 1], kind: record.kind)
    component.parameterCount = record.parameterCount
    guard names.count > 1 else { return NominalType(module: record.module, components: [component]) }
    let parent = nominal(names.dropLast().joined(separator: "."))
    return parent.map { NominalType(module: $0.module, components: $0.components + [component]) }
  }

  private static let records: [String: Record] = {
    var records: [String: Record] = [:]
    var module = ""
    var kind = NominalType.Kind.class
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      if !line.hasPrefix("  "), words.count == 2, let heading = NominalType.Kind(rawValue: String(words[1])) {
        (module, kind) = (String(words[0]), heading)
        continue
      }
      for word in words {
        let parts = word.split(separator: "/")
        let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        records[String(parts[0])] = Record(module: module, kind: kind, parameterCount: count)
      }
    }
    return records
  }()

  private static let aliases: [String: (module: String, type: TypeExpression)] = {
    func alias(_ module: String, path: String) -> (String, TypeExpression) {
      let declaring = records[path].map { $0.module == "Swift" ? "Swift" : "Foundation" } ?? module
      let start = TypeExpression.name(TypeExpression.Name(name: declaring))
      let type = path.split(separator: ".").reduce(start) {
        .member($0, TypeExpression.Name(name: String($1)))
      }
      return (module, type)
    }
    var aliases: [String: (String, TypeExpression)] = [
      "Void": ("Swift", .tuple([])),
      "Codable": ("Swift", .composition([alias("Swift", path: "Decodable").1, alias("Swift", path: "Encodable").1])),
      "AnyClass": ("Swift", .metatype(.standard("AnyObject", arguments: []))),
    ]
    for (name, target) in [
      "CChar": "Int8", "CSignedChar": "Int8", "CUnsignedChar": "UInt8", "CShort": "Int16",
      "CUnsignedShort": "UInt16", "CInt": "Int32", "CUnsignedInt": "UInt32", "CLong": "Int",
      "CUnsignedLong": "UInt",
      "CLongLong": "Int64", "CUnsignedLongLong": "UInt64", "CFloat": "Float", "CDouble": "Double",
      "CBool": "Bool",
      "Float32": "Float", "Float64": "Double", "IntegerLiteralType": "Int", "FloatLiteralType": "Double",
      "BooleanLiteralType": "Bool", "StringLiteralType": "String", "UnicodeScalar": "Unicode.Scalar",
    ] {
      aliases[name] = alias("Swift", path: target)
    }
    for (name, target) in [
      "TimeInterval": "Double", "NSRange": "_NSRange", "NSPoint": "CGPoint", "NSSize": "CGSize",
      "NSRect": "CGRect",
      "NSErrorDomain": "NSString", "unichar": "UInt16", "Notification.Name": "NSNotification.Name",
    ] {
      aliases[name] = alias("Foundation", path: target)
    }
    return aliases.mapValues { (module: $0.0, type: $0.1) }
  }()
}
