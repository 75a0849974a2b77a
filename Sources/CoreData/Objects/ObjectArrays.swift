import Foundation

extension [NSManagedObject] {
  /// The array, typed with the class that a request asks for; `nil` if that is not a class of managed objects, or not
  /// all objects are of the class.
  ///
  /// Swift's own cast of an array asks each object for itself, which takes as long as making it. Most objects of a
  /// fetch have the class of the one before.
  func ofOneClass<Result>(as type: Result.Type) -> [Result]? { areOfOneClass(type) ? assumingClass(type) : nil }

  /// True when a type is a class of managed objects, and all objects are of it.
  func areOfOneClass<Result>(_ type: Result.Type) -> Bool {
    guard Result.self is NSManagedObject.Type else { return false }
    var known: ObjectIdentifier?
    for object in self {
      let current = ObjectIdentifier(Swift.type(of: object))
      if current == known { continue }
      guard object is Result else { return false }
      known = current
    }
    return true
  }

  /// The array as one of a class that all objects are known to be of. It is the same one in memory.
  func assumingClass<Result>(_ type: Result.Type) -> [Result] {
    // Both are arrays of references to objects, each of which is of the class.
    unsafeBitCast(self, to: [Result].self)
  }

  /// The objects as a set of a class that all of them are known to be of.
  ///
  /// A set of a class that only its caller knows would be filled by code that knows no class.
  func asSet<Result: NSManagedObject>(assumingClass type: Result.Type) -> Set<Result> {
    // Both are sets of references to objects, each of which is of the class, and hash as managed objects do.
    unsafeBitCast(Set(self), to: Set<Result>.self)
  }
}
