import Foundation
import Predicates

/// The facts about a class of managed objects that Swift's runtime cannot be asked for.
///
/// The list that the plugin writes for a module tells them (``KeyedMemberList``). A class that no
/// list tells of — of a target without the plugin, private to a file, generic — is looked into
/// while the program runs:
///
/// - The check of single values: a list tells of it by `addClass(_:checksValues:_:)`; without one,
///   `ValidationOverride` compares the class's table of methods with that of `NSManagedObject`.
/// - The name behind a key path of one property: a list gives it by `addName(_:of:)`; without one,
///   `KeyPathRecorder` reads the path in an object that records what it is asked for, and
///   `StoredPropertyProbe` writes through it.
/// - The object for a fetched row: by the list the row is an argument of its initialiser
///   (`RowEntity`); without one the row waits in the context, and the initialiser takes it from
///   there.
///
/// Key paths of several properties are read by `KeyPathRecorder` in any case, since nothing tells
/// their parts.
enum ClassFacts {
  /// True when a class, or one that it inherits from, overrides `validateValue(_:forKey:)`.
  ///
  /// - Parameter listed: what lists say of the class and of each that it inherits from,
  ///   `NSManagedObject` aside; `nil` where none says anything.
  static func checksValues(_ objectClass: NSManagedObject.Type, listed: [Bool?]) -> Bool {
    if listed.contains(true) { return true }
    return listed.contains(nil) && ValidationOverride.isIn(objectClass)
  }

  /// The names behind a key path, joined by dots; `nil` where it does not lead from a managed
  /// object through its properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
    return ClassMembers.all(of: root).keys[keyPath] ?? KeyPathRecorder.name(of: keyPath, root)
  }
}

extension NSManagedObject: KeyPathNaming {
  package static func name(of keyPath: AnyKeyPath) -> String? { ClassFacts.name(of: keyPath) }
}
