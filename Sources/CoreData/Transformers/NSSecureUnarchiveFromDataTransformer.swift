import Foundation

/// Makes objects of archives that were made with secure coding, and archives of objects.
///
/// The transformer of transformable attributes that name none, and the superclass of those for
/// classes of one's own, which override ``allowedTopLevelClasses``. Stores call such transformers
/// the other way round than all others: an object is kept as what ``reverseTransformedValue(_:)``
/// makes of it. Apple's documentation of `NSSecureUnarchiveFromDataTransformer`.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes whose objects an archive may hold: Foundation's collections, strings, numbers,
  /// dates, data, URLs, UUIDs and null, unless overridden.
  open class var allowedTopLevelClasses: [AnyClass] { SecureArchive.plainClasses }

  /// The object in an archive; `nil` when the value is no data, or an archive of another class.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return try? SecureArchive.object(in: data, classes: classes)
  }

  /// An archive of an object; `nil` when the object is of no class that is allowed.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    return try? SecureArchive.data(of: value, classes: classes)
  }

  private var classes: [AnyClass] { Swift.type(of: self).allowedTopLevelClasses }
}
