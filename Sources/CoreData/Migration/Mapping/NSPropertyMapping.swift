public import Foundation
public import Predicates

/// A mapping by which the value of one property of the destination is found in a migration.
///
/// Apple's documentation of `NSPropertyMapping`.
open class NSPropertyMapping: NSObject {
  /// The name of the property in the destination.
  open var name: String?

  /// The value. Beside the key paths of the source (`$source.title`) it may use the variables that
  /// the `NSMigration…Key` constants name. Without one the property stays as it is in a new object.
  open var valueExpression: Predicates.NSExpression?

  /// Words of the mapping's author.
  open var userInfo: [AnyHashable: Any]?

  open override var description: String { describe() }
}
