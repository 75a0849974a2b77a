/// The names of properties that a target's accessors may access.
struct AccessorKeys {
  private let model: Set<String>
  private let known: [String]

  /// - Parameters:
  ///   - model: the names in the target's models.
  ///   - sources: the names of the properties with `@NSManaged`.
  init(model: Set<String>, sources: Set<String>) {
    self.model = model
    known = model.union(sources).sorted()
  }

  /// The property whose name, with a capital, is part of a method's name.
  func key(capitalized name: some StringProtocol) -> String? {
    known.first { Self.capitalized($0) == name }
  }

  /// The property that a name accesses without notifications: `title` for `primitiveTitle`. It is `nil`
  /// for other names, and if the model has a property with the name itself.
  func primitiveKey(of name: String) -> String? {
    let prefix = "primitive"
    let rest = name.dropFirst(prefix.count)
    guard name.hasPrefix(prefix), let first = rest.first, first.isUppercase, !model.contains(name) else { return nil }
    return key(capitalized: rest) ?? Self.uncapitalized(rest)
  }

  static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }

  static func uncapitalized(_ name: some StringProtocol) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
