import Foundation
import ModelFormats

/// Keyed archives whose root is an object that secure coding allows.
enum SecureArchive {
  /// Foundation's classes of property lists, and a few others.
  static let plainClasses: [any (NSObject & NSSecureCoding).Type] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
    NSData.self, NSURL.self, NSUUID.self, NSNull.self,
  ]

  /// The reason for which there is no archive of an object, or no object of an archive.
  enum Failure: Error {
    /// The object, or one in it, is of no class that is allowed.
    case notAllowed
    /// The archive is damaged or made to do harm, or an object is nested too deep.
    case unreadable(String)
    /// The data is not an archive, or has an object of a class that is not allowed or not known here.
    case foreign(String)
    /// The object could not be encoded.
    case encoding(any Error)

    var problem: String {
      switch self {
      case .notAllowed:
        """
        the archive may hold Foundation's plain objects and those of the attribute's attributeValueClassName, which \
        must conform to NSSecureCoding; decimal numbers may be among plain objects only
        """
      case .unreadable(let problem), .foreign(let problem): problem
      case .encoding(let error): error.localizedDescription
      }
    }
  }

  /// The object in an archive.
  ///
  /// Plain objects are made here. An archive that holds other objects is passed to Foundation after
  /// all of its contents have been checked: Linux Foundation stops the program for classes that are
  /// not allowed and for plain objects without their contents.
  ///
  /// - Throws: ``Failure/unreadable(_:)`` or ``Failure/foreign(_:)``.
  static func object(in data: Data, classes: [AnyClass]) throws(Failure) -> Any {
    switch try content(of: data) {
    case .plain(let object):
      guard allows(object, classes: classes) else {
        throw .foreign("an object of the class \(type(of: object)) is not allowed")
      }
      return object
    case .mixed(let outer, let all):
      // An object of an allowed class determines itself which objects it contains.
      for name in all.sorted() {
        if let problem = problem(with: name, classes: outer.contains(name) ? classes : nil) { throw .foreign(problem) }
      }
      do {
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        guard let object else { throw Failure.unreadable("its root is nothing") }
        return object
      } catch {
        throw .unreadable(error.localizedDescription)
      }
    }
  }

  private static func content(of data: Data) throws(Failure) -> SafeKeyedArchive.Content {
    guard data.starts(with: Data("bplist".utf8)) else { throw .foreign("it is not a keyed archive") }
    do throws(SafeKeyedArchive.Failure) {
      return try SafeKeyedArchive.read(data)
    } catch {
      throw .unreadable(error.problem)
    }
  }

  /// The reason for which a class may not be in an archive that Foundation reads; `nil` when it may.
  ///
  /// - Parameter classes: the classes that are allowed; `nil` for all that there are.
  private static func problem(with name: String, classes: [AnyClass]?) -> String? {
    let named: AnyClass? = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
    guard let archived = named as? NSObject.Type else { return "there is no class \(name) here" }
    if archived.isSubclass(of: NSDecimalNumber.self) {
      return "decimal numbers can only be among Foundation's plain objects"
    }
    guard let classes, !classes.contains(where: { archived.isSubclass(of: $0) }) else { return nil }
    return "an object of the class \(name) is not allowed"
  }

  /// The archive of an object.
  static func data(of object: Any, classes: [AnyClass]) throws(Failure) -> Data {
    if let data = try plainData(of: object) {
      guard allows(object as? NSObject, classes: classes) else { throw .notAllowed }
      return data
    }
    guard isArchivable(object, classes: classes) else { throw .notAllowed }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      throw .encoding(error)
    }
  }

  private static func plainData(of object: Any) throws(Failure) -> Data? {
    do throws(SafeKeyedArchive.Failure) {
      return try SafeKeyedArchive.data(of: object)
    } catch {
      throw .unreadable(error.problem)
    }
  }

  /// Returns true when a plain object and all in it are of the classes.
  private static func allows(_ object: NSObject?, classes: [AnyClass]) -> Bool {
    guard let object else { return false }
    // A plain object contains only plain objects.
    if plainClasses.allSatisfy({ plain in classes.contains { $0 == plain } }) { return true }
    return everyObject(in: object) { member in classes.contains { member.isKind(of: $0) } }
  }

  /// Returns true when an archive of the object can be made and read back. The function checks the elements of
  /// Foundation's own collections, because Linux Foundation stops the program when a decimal number is archived.
  private static func isArchivable(_ object: Any, classes: [AnyClass]) -> Bool {
    guard let object = object as? NSObject else { return false }
    return everyObject(in: object) { member in
      if member is NSDecimalNumber { return false }
      return member is any NSSecureCoding && classes.contains { member.isKind(of: $0) }
    }
  }

  private static func everyObject(in object: NSObject, _ condition: (NSObject) -> Bool) -> Bool {
    var pending = [object]
    while let object = pending.popLast() {
      guard condition(object) else { return false }
      let members: [Any]
      switch object {
      case let array as NSArray: members = array.map(\.self)
      case let set as NSSet: members = set.allObjects
      case let set as NSOrderedSet: members = set.array
      case let dictionary as NSDictionary: members = dictionary.allKeys + dictionary.allValues
      default: continue
      }
      let objects = members.compactMap { $0 as? NSObject }
      guard objects.count == members.count else { return false }
      pending += objects
    }
    return true
  }
}
