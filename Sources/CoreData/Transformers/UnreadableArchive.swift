import Foundation

/// The bytes that stand for the object of a transformable attribute whose data cannot be made into
/// one, and the reason.
///
/// A save writes the bytes as they were.
final class UnreadableArchive: NSObject, Sendable {
  let data: Data
  let problem: String
  /// True when the archive is damaged or made to do harm. Else it is one of a class that is not
  /// known here, or no archive: key-value coding then answers the bytes, so that whoever copies
  /// objects loses nothing.
  let isDamaged: Bool

  init(_ data: Data, problem: String, isDamaged: Bool) {
    self.data = data
    self.problem = problem
    self.isDamaged = isDamaged
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? UnreadableArchive)?.data == data }

  override var hash: Int { data.hashValue }

  override var description: String { "\(data.count) bytes that cannot be read: \(problem)" }

  /// The error of an object whose value this is.
  func error(object: String, attribute: NSAttributeDescription) -> NSError {
    StoreFailure.error(
      CocoaError.coderReadCorrupt.rawValue,
      """
      \(attribute.modelPath) of \(object): \(data.count) bytes cannot be made into an object (\(problem)). They stay \
      as they are; set the value anew, or give the attribute the class that was archived.
      """
    )
  }
}

extension NSManagedObject {
  /// Tells the context of a value that cannot be made into an object.
  final func reportUnreadable(_ archive: UnreadableArchive, _ slot: Int) {
    guard let attribute = layout.slots[slot].attribute else { return }
    report(archive.error(object: describeIdentity(), attribute: attribute), of: attribute)
  }

  /// The value of a property whose transformable value is none of its type: nothing, or an empty
  /// collection where the property is not optional. The context is told why, since what a file
  /// holds must not stop the program.
  ///
  /// - Returns: `nil` for values of other attributes, and for types that have neither.
  final func substitute<Value>(for value: Any?, _ key: StaticString, _ type: Value.Type) -> Value? {
    guard let slot = layout.names.index(of: key), slot >= 0, let attribute = layout.slots[slot].attribute,
      attribute.attributeType == .transformableAttributeType,
      let none = Any?.none as? Value ?? anyValue(type)
    else { return nil }
    if case .object(let archive as UnreadableArchive)? = rowAtHand?.value(slot) {
      reportUnreadable(archive, slot)
    } else if let value {
      report(
        StoreFailure.error(
          CocoaError.coderReadCorrupt.rawValue,
          """
          \(attribute.modelPath) of \(describeIdentity()) is a \(Swift.type(of: value)), and the property wants a \
          \(type); give both the same type.
          """
        ),
        of: attribute
      )
    } else if rowAtHand?.failure(slot) == nil {
      // What could not be read was told of when it was asked for.
      return nil
    }
    return none
  }

  private final func report(_ error: any Error, of attribute: NSAttributeDescription) {
    registry.context?.recordReadFailure(error, of: self, key: attribute.name)
  }
}
