public import Foundation
import Predicates

extension NSSortDescriptor {
  /// Sorts by the values of a managed object's Swift key path as a closure compares them; null arrives
  /// as `NSNull`, and an enumeration as its raw value.
  ///
  /// It is chosen before Linux Foundation's own, whose descriptor does not tell that it has a closure. A store that
  /// translates to SQL cannot fetch with it. A key path that goes through no properties of the object, as one to a
  /// computed value, makes Foundation's descriptor, which sorts arrays and fetches nothing.
  ///
  /// ```swift
  /// let byLength = NSSortDescriptor(keyPath: \Note.title, ascending: true) { first, second in
  ///   let (one, other) = ((first as? String ?? "").count, (second as? String ?? "").count)
  ///   return one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
  /// }
  /// ```
  public convenience init<Root: NSManagedObject, Value>(
    keyPath: KeyPath<Root, Value>,
    ascending: Bool,
    comparator cmptr: @escaping Comparator
  ) {
    // An instance of an application's own class compares in its own way, and stays one.
    if Self.self == NSSortDescriptor.self, let key = KeyPathNames.nameTold(of: keyPath) {
      self.init(key: key, keyPath: keyPath, ascending: ascending, comparator: cmptr)
    } else {
      self.init(readingDirectly: keyPath, ascending: ascending, comparator: cmptr)
    }
  }

  /// Makes Foundation's descriptor: its initialiser is the only one that takes key paths of any type.
  private convenience init<Root, Value>(
    readingDirectly keyPath: KeyPath<Root, Value>,
    ascending: Bool,
    comparator: @escaping Comparator
  ) {
    self.init(keyPath: keyPath, ascending: ascending, comparator: comparator)
  }
}
