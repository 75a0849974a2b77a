import Foundation
import Synchronization

/// Finds the names of the properties in a Swift key path, which carries none itself on Linux.
package enum KeyPathNames {
  /// Answers with the names, joined by dots, or `nil` when it knows nothing of the root type.
  package typealias Finder = @Sendable (AnyKeyPath) -> String?

  private static let finders = Mutex<[Finder]>([])

  /// Adds a way to find names; the one added last is asked first. Core Data adds its own for managed objects.
  package static func addFinder(_ finder: @escaping Finder) {
    finders.withLock { $0.insert(finder, at: 0) }
  }

  /// The names, such as `category.name`; `nil` when they cannot be found.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    for finder in finders.withLock({ $0 }) {
      if let name = finder(keyPath) { return name }
    }
    return nameOfStoredProperties(keyPath)
  }

  /// The names; stops the program when they cannot be found.
  package static func requiredName(of keyPath: AnyKeyPath) -> String {
    if let name = name(of: keyPath) { return name }
    fatalError("The names of the key path \(keyPath) cannot be found: give the key path as text.")
  }

  /// What the standard library knows: it describes key paths of stored properties as `\Note.category.name`.
  private static func nameOfStoredProperties(_ keyPath: AnyKeyPath) -> String? {
    let text = String(reflecting: keyPath)
    let root = "\\" + String(describing: type(of: keyPath).rootType) + "."
    guard text.hasPrefix(root) else { return nil }
    let path = text.dropFirst(root.count).replacing("?", with: "").replacing("!", with: "")
    guard !path.contains(where: { "<>() ".contains($0) }), !path.isEmpty else { return nil }
    return String(path)
  }
}
