import Foundation
import Predicates

/// The facts about a class of managed objects that Swift's runtime cannot be asked for.
///
/// The list that the plugin writes for a module has them (``KeyedMemberList``). Some classes are in no list: those of a
/// target without the plugin, those private to a file, and generic ones. Such a class is inspected at run time:
///
/// - The check of single values: a list declares it by `addClass(_:checksValues:_:)`. Without a list,
///   `ValidationOverride` compares the class's table of methods with that of `NSManagedObject`.
/// - The name of the one property in a key path: a list declares it by `addName(_:of:)`. Without a
///   list, `KeyPathRecorder` reads the path in an object that records each request, and
///   `StoredPropertyProbe` writes through the path.
/// - The object for a fetched row: by the list the row is an argument of its initialiser (`RowEntity`); without one the
///   row waits in the context, and the initialiser takes it from there.
///
/// `KeyPathRecorder` reads key paths of several properties in any case, because a key path does not expose its parts.
enum ClassFacts {
  /// True when a class, or one that it inherits from, overrides `validateValue(_:forKey:)`.
  ///
  /// - Parameter listed: the declarations of lists for the class and each of its superclasses below
  ///   `NSManagedObject`; `nil` if no list declares it.
  static func checksValues(_ objectClass: NSManagedObject.Type, listed: [Bool?]) -> Bool {
    if listed.contains(true) { return true }
    return listed.contains(nil) && ValidationOverride.isIn(objectClass)
  }

  /// The names in a key path, joined by dots; `nil` if the path does not lead from a managed object
  /// through its properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
    return ClassMembers.all(of: root).keys[keyPath] ?? KeyPathRecorder.name(of: keyPath, root: root)
  }
}

extension NSManagedObject: KeyPathNaming {
  package static func name(of keyPath: AnyKeyPath) -> String? { ClassFacts.name(of: keyPath) }
}

/// Finds out whether a class checks single values itself, so that a save need not call the check
/// for each value of other classes.
///
/// The entry of a method is at the same place in the metadata of a class and of all classes under it; it differs where
/// the method is overridden. The place is found by two classes of which one overrides the method and one does not.
enum ValidationOverride {
  private final class Plain: NSManagedObject {}

  private final class Overriding: NSManagedObject {
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
      try super.validateValue(value, forKey: key)
    }
  }

  /// The offset of the entry in bytes; `nil` when it was not found. Every class is then treated as overriding.
  private static let place: Int? = {
    let (base, plain, overriding) = (metadata(NSManagedObject.self), metadata(Plain.self), metadata(Overriding.self))
    let places = stride(from: firstEntry, to: size(of: base), by: MemoryLayout<UInt>.size).filter { place in
      entry(base, place: place) == entry(plain, place: place)
        && entry(base, place: place) != entry(overriding, place: place)
    }
    return places.count == 1 ? places[0] : nil
  }()

  /// Returns true when a class, or one that it inherits from, overrides `validateValue(_:forKey:)`,
  /// and where the place of its entry is unknown.
  static func isIn(_ objectClass: NSManagedObject.Type) -> Bool {
    guard let place else { return true }
    return entry(metadata(objectClass), place: place) != entry(metadata(NSManagedObject.self), place: place)
  }

  // MARK: - Class metadata, as Swift's ABI has it without the Objective-C runtime

  /// Kind, superclass, flags, sizes, descriptor and destroyer come first.
  private static let firstEntry = 56
  private static let sizeField = 32
  private static let addressPointField = 36

  private static func metadata(_ objectClass: NSManagedObject.Type) -> UnsafeRawPointer {
    unsafeBitCast(objectClass, to: UnsafeRawPointer.self)
  }

  private static func size(of metadata: UnsafeRawPointer) -> Int {
    let size = metadata.load(fromByteOffset: sizeField, as: UInt32.self)
    return Int(size) - Int(metadata.load(fromByteOffset: addressPointField, as: UInt32.self))
  }

  private static func entry(_ metadata: UnsafeRawPointer, place: Int) -> UInt {
    metadata.load(fromByteOffset: place, as: UInt.self)
  }
}
