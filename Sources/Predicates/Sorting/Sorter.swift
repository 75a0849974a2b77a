package import Foundation

/// Sorts by several descriptors, reading each key of each object once.
package struct Sorter {
  private let descriptors: [NSSortDescriptor]

  package init(_ descriptors: [NSSortDescriptor]) { self.descriptors = descriptors }

  /// The objects in order. Objects that are equal to all descriptors keep their relative order.
  ///
  /// - Throws: `PredicateEvaluationError` for values without an order, or what an object throws for
  ///   a key that it does not have.
  package func sorted<Element>(_ elements: [Element]) throws -> [Element] {
    if descriptors.isEmpty { return elements }
    let descriptors = elements.first is any KeyPathNaming ? descriptors : descriptors.map(Self.byKey)
    let columns = try descriptors.map { descriptor in
      try elements.map { try Self.value(of: $0, descriptor: descriptor) }
    }
    let order = try elements.indices.sorted { first, second in
      for (index, descriptor) in descriptors.enumerated() {
        let result = try Self.compare(columns[index][first], second: columns[index][second], descriptor: descriptor)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return first < second
    }
    return order.map { elements[$0] }
  }

  /// A descriptor that reads a key, instead of Foundation's descriptor with a key path of a class that knows its names.
  /// Foundation's descriptor reads an object of the class, and a record of a store is not an object of the class.
  private static func byKey(_ descriptor: NSSortDescriptor) -> NSSortDescriptor {
    guard descriptor.isFoundationsOwn, let key = KeyPathNames.nameTold(of: descriptor.keyPath) else {
      return descriptor
    }
    return KeySortDescriptor(key: key, ascending: descriptor.ascending, comparison: .standard)
  }

  /// The values that an object is sorted by; for inserting into what is sorted already.
  ///
  /// - Throws: `PredicateEvaluationError` for a key that cannot be read, or what the object
  ///   throws for a key that it does not have.
  package func values(of object: Any) throws -> [EvaluatedValue] {
    try descriptors.map { try Self.value(of: object, descriptor: $0) }
  }

  /// The order of two objects by their values.
  ///
  /// - Throws: `PredicateEvaluationError` for values without an order.
  package func compare(_ first: [EvaluatedValue], second: [EvaluatedValue]) throws -> ComparisonResult {
    for (index, descriptor) in descriptors.enumerated() {
      let result = try Self.compare(first[index], second: second[index], descriptor: descriptor)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }

  /// The order of an object to another one, by the values of that one: of the object's own values no more are read
  /// than tell.
  ///
  /// - Throws: `PredicateEvaluationError` for values without an order and for a key that cannot be read, or what the
  ///   object throws for a key that it does not have.
  package func compare(_ object: any KeyValueCoding, to values: [EvaluatedValue]) throws -> ComparisonResult {
    for (index, descriptor) in descriptors.enumerated() {
      let result = try Self.compare(
        Self.value(of: object, descriptor: descriptor),
        second: values[index],
        descriptor: descriptor
      )
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }

  private static func value(of object: any KeyValueCoding, descriptor: NSSortDescriptor) throws -> EvaluatedValue {
    if let descriptor = descriptor as? KeySortDescriptor { return try descriptor.value(of: object) }
    return try value(of: object as Any, descriptor: descriptor)
  }

  /// The value by which a descriptor sorts an object. A descriptor that Foundation made, and one of an
  /// application's own class, gets the object and reads its Swift key path itself.
  ///
  /// - Throws: `PredicateEvaluationError` for an object that the key path does not begin at.
  private static func value(of object: Any, descriptor: NSSortDescriptor) throws -> EvaluatedValue {
    if let descriptor = descriptor as? KeySortDescriptor { return try descriptor.value(of: object) }
    let root = type(of: descriptor.keyPath).rootType
    guard isInstance(object, of: root) else {
      throw PredicateEvaluationError(
        """
        A sort descriptor reads its key path in objects of \(root), which a store does not have: \
        sort by the key of an attribute, or sort the objects that were fetched
        """
      )
    }
    return .object(object)
  }

  private static func isInstance<Root>(_ object: Any, of root: Root.Type) -> Bool { object is Root }

  private static func compare(
    _ first: EvaluatedValue,
    second: EvaluatedValue,
    descriptor: NSSortDescriptor
  ) throws -> ComparisonResult {
    if let descriptor = descriptor as? KeySortDescriptor {
      let order = try descriptor.sortComparison.compare(first, second: second)
      return descriptor.ascending ? order : order.reversed
    }
    guard case .object(let a) = first, case .object(let b) = second else { return .orderedSame }
    return descriptor.compare(a, to: b)
  }
}
