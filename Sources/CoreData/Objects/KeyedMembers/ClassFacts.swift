import Foundation
import Predicates

/// What is to be known of a class of managed objects and cannot be asked of Swift's runtime.
///
/// The list that the plugin writes for a module tells it (``KeyedMemberList``). A class that no list tells of — of a target
/// without the plugin, private to a file, generic — is looked into while the program runs:
///
/// | | by the list | without |
/// |---|---|---|
/// | whether it checks single values itself | `addClass(_:checksValues:_:)` | `ValidationOverride` compares its table of methods with that of `NSManagedObject` |
/// | the name behind a key path of one property | `addName(_:of:)` | `KeyPathRecorder` reads the path in an object that records what it is asked for, and `StoredPropertyProbe` writes through it |
/// | an object for a fetched row | the row is an argument of its initialiser (`RowEntity`) | the row waits in the context, and the initialiser takes it from there |
///
/// Key paths of several properties are read by `KeyPathRecorder` in any case, since nothing tells their parts.
enum ClassFacts {
  /// Whether a class, or one that it inherits from, overrides `validateValue(_:forKey:)`.
  ///
  /// - Parameter listed: what lists say of the class and of each that it inherits from, `NSManagedObject` aside; `nil` where
  ///   none says anything.
  static func checksValues(_ objectClass: NSManagedObject.Type, listed: [Bool?]) -> Bool {
    if listed.contains(true) { return true }
    return listed.contains(nil) && ValidationOverride.isIn(objectClass)
  }

  /// The names behind a key path, joined by dots; `nil` where it does not lead from a managed object through its properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
    return ClassMembers.all(of: root).keys[keyPath] ?? KeyPathRecorder.name(of: keyPath, root)
  }
}

extension NSManagedObject: KeyPathNaming {
  package static func name(of keyPath: AnyKeyPath) -> String? { ClassFacts.name(of: keyPath) }
}
