import Foundation
import ModelFormats

/// Keyed archives whose root is an object that secure coding allows.
enum SecureArchive {
  /// Foundation's classes of property lists, and a few beside.
  static let plainClasses: [any (NSObject & NSSecureCoding).Type] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
    NSData.self, NSURL.self, NSUUID.self, NSNull.self,
  ]

  /// Why there is no archive of an object.
  enum Failure: Error {
    /// The object, or one in it, is of no class that is allowed.
    case notAllowed
    /// The object could not be encoded.
    case encoding(any Error)
  }

  /// The object in an archive; `nil` when there is none of the classes.
  ///
  /// The classes are looked at first: Linux Foundation stops the program when one is not allowed.
  static func object(in data: Data, classes: [AnyClass]) -> Any? {
    guard let names = try? ArchivedClassNames.read(data), names.allSatisfy({ isAllowed($0, classes) }) else {
      return nil
    }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
  }

  private static func isAllowed(_ name: String, _ classes: [AnyClass]) -> Bool {
    let named: AnyClass? = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
    guard let archived = named as? NSObject.Type, !archived.isSubclass(of: NSDecimalNumber.self) else {
      return false
    }
    return classes.contains { archived.isSubclass(of: $0) }
  }

  /// The archive of an object.
  static func data(of object: Any, classes: [AnyClass]) throws(Failure) -> Data {
    guard isArchivable(object, classes) else { throw .notAllowed }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      throw .encoding(error)
    }
  }

  /// Whether an archive of the object can be made and read back. Foundation's own collections are looked into; Linux
  /// Foundation stops the program when a decimal number is archived.
  private static func isArchivable(_ object: Any, _ classes: [AnyClass]) -> Bool {
    guard let object = object as? NSObject else { return false }
    switch object {
    case is NSDecimalNumber: return false
    case let array as NSArray: return array.allSatisfy { isArchivable($0, classes) }
    case let set as NSSet: return set.allSatisfy { isArchivable($0, classes) }
    case let set as NSOrderedSet: return set.allSatisfy { isArchivable($0, classes) }
    case let dictionary as NSDictionary:
      return dictionary.allSatisfy { isArchivable($0.key, classes) && isArchivable($0.value, classes) }
    default: return object is any NSSecureCoding && classes.contains { object.isKind(of: $0) }
    }
  }
}
