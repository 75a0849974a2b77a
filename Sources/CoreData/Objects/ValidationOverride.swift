/// Finds out whether a class checks single values itself, so that a save need not ask the others
/// for each value.
///
/// The entry of a method is at the same place in the metadata of a class and of all classes under
/// it; it differs where the method is overridden. The place is found by two classes of which one
/// overrides the method and one does not.
enum ValidationOverride {
  private final class Plain: NSManagedObject {}

  private final class Overriding: NSManagedObject {
    override func validateValue(
      _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
      forKey key: String
    ) throws {
      try super.validateValue(value, forKey: key)
    }
  }

  /// The place of the entry in bytes; `nil` when it was not found, and every class counts as
  /// overriding.
  private static let place: Int? = {
    let (base, plain, overriding) = (
      metadata(NSManagedObject.self), metadata(Plain.self), metadata(Overriding.self)
    )
    let places = stride(from: firstEntry, to: size(of: base), by: MemoryLayout<UInt>.size).filter { place in
      entry(base, place) == entry(plain, place) && entry(base, place) != entry(overriding, place)
    }
    return places.count == 1 ? places[0] : nil
  }()

  /// Returns true when a class, or one that it inherits from, overrides `validateValue(_:forKey:)`,
  /// and where the place of its entry is unknown.
  static func isIn(_ objectClass: NSManagedObject.Type) -> Bool {
    guard let place else { return true }
    return entry(metadata(objectClass), place) != entry(metadata(NSManagedObject.self), place)
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

  private static func entry(_ metadata: UnsafeRawPointer, _ place: Int) -> UInt {
    metadata.load(fromByteOffset: place, as: UInt.self)
  }
}
