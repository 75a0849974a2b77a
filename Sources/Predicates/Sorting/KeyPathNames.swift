import Foundation

/// A type that knows the property names of key paths that begin at it, as managed objects do.
package protocol KeyPathNaming {
  /// The names, joined by dots; `nil` when they are not the type's to tell.
  static func name(of keyPath: AnyKeyPath) -> String?
}

/// Finds the names of the properties in a Swift key path, which carries none itself on Linux.
package enum KeyPathNames {
  /// The names, such as `category.name`; `nil` when they cannot be found.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    nameTold(of: keyPath) ?? nameOfStoredProperties(keyPath)
  }

  /// The names that the key path's root type returns for it; `nil` when that type does not know its names.
  package static func nameTold(of keyPath: AnyKeyPath) -> String? {
    (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.name(of: keyPath)
  }

  /// The names; stops the program when they cannot be found.
  package static func requiredName(of keyPath: AnyKeyPath) -> String {
    if let name = name(of: keyPath) { return name }
    fatalError("The names of the key path \(keyPath) cannot be found: give the key path as text.")
  }

  /// The names that the standard library knows: it describes key paths of stored properties as `\Note.category.name`.
  private static func nameOfStoredProperties(_ keyPath: AnyKeyPath) -> String? {
    let text = String(reflecting: keyPath)
    let root = "\\" + String(describing: type(of: keyPath).rootType) + "."
    guard text.hasPrefix(root) else { return nil }
    let path = text.dropFirst(root.count).replacing("?", with: "").replacing("!", with: "")
    guard !path.contains(where: { "<>() ".contains($0) }), !path.isEmpty else { return nil }
    return String(path)
  }
}

extension AnyKeyPath {
  /// The names of the properties in the key path, joined by dots, such as `category.name`; `nil`
  /// where they cannot be found.
  ///
  /// The standard library has a property of this name, which libraries that build predicates read, but fills it only
  /// where there is Objective-C. This one takes its place wherever Core Data is imported: it knows the properties of
  /// managed objects, through relationships and optional chains, and stored properties of any type.
  ///
  /// ```swift
  /// let path = \Note.author?.name
  /// print(path._kvcKeyPathString ?? "")  // author.name
  /// ```
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}
