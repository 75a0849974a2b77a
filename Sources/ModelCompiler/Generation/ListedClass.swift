/// A class of managed objects in the list: what its source says that would otherwise be found out at run time.
struct ListedClass {
  /// How the generated file names the class.
  let className: String
  let conditions: [String]
  /// Whether the class overrides `validateValue(_:forKey:)`.
  let checksValues: Bool
  /// Whether the class and all that it inherits from leave `init(entity:insertInto:)` to `NSManagedObject`, so that no
  /// code of theirs sees its arguments.
  let inheritsInitializer: Bool
  /// The properties that the class inherits from others of the module: their key paths begin at this class.
  let inheritedProperties: [KeyedMember]

  /// The lines of the list.
  var lines: [String] {
    let maker = inheritsInitializer ? " { \(className)(entity: $0, insertInto: $1) }" : ""
    let line = "    list.addClass(\(className).self, checksValues: \(checksValues))\(maker)"
    return Self.conditional(line, conditions)
      + inheritedProperties.flatMap { property in
        Self.conditional("    " + Self.naming(property, className), conditions + property.conditions)
      }
  }

  /// The call that gives the key paths of a property their name.
  static func naming(_ property: KeyedMember, _ className: String) -> String {
    let key = GeneratedExtension.literal(property.key)
    return "list.addName(\(key), of: \\\(className).\(TypePrinter.identifier(property.name)))"
  }

  var isDeprecated: Bool { inheritedProperties.contains(where: \.isDeprecated) }

  static func conditional(_ line: String, _ conditions: [String]) -> [String] {
    conditions.isEmpty ? [line] : ["#if \(GeneratedExtension.conjunction(conditions))", line, "#endif"]
  }
}
