import Foundation

/// Makes the dictionaries of a fetch straight from the rows of the stores, where they have nothing
/// but attributes and to-one relationships of the fetched entity.
///
/// They are Foundation's own dictionaries: here no subclass of `NSDictionary` can be cast to a Swift dictionary.
struct RowDictionaries {
  let names: [String]
  private let keys: [NSObject]

  /// - Returns: `nil` where a column is something else, which objects are asked for.
  init?(names: [String], entity: NSEntityDescription) {
    let layout = entity.layout
    for name in names {
      guard case .slot(let slot)? = layout.places[name], !layout.slots[slot].isTransient,
        !(layout.slots[slot].attribute is NSCompositeAttributeDescription)
      else { return nil }
    }
    self.names = names
    keys = names.map { NSString(string: $0) }
  }

  /// The dictionaries of rows, without the keys of values that there are none of.
  ///
  /// - Parameter context: gives to-one relationships the IDs of their destinations.
  /// - Throws: the error for which a value could not be read, which a dictionary could only leave out.
  func dictionaries(of rows: [FetchedRow], in context: NSManagedObjectContext) throws -> [NSDictionary] {
    var found = Values(capacity: names.count)
    var columns: (layout: EntityLayout, slots: [Int])?
    return try rows.map { fetched in
      guard let row = fetched.row else { return NSDictionary() }
      if row.slab.hasFailures { try row.requireReadable(fetched.layout.slots(of: names)) }
      if columns?.layout !== fetched.layout { columns = (fetched.layout, fetched.layout.slots(of: names)) }
      found.removeAll()
      for (index, slot) in (columns?.slots ?? []).enumerated() where row.hasValue(slot) {
        guard let value = Self.value(of: row, slot: slot, layout: fetched.layout, context: context) else { continue }
        found.append(keys[index], value: value)
      }
      return found.dictionary
    }
  }

  private static func value(
    of row: Row,
    slot: Int,
    layout: EntityLayout,
    context: NSManagedObjectContext
  ) -> AnyObject? {
    let value = row.value(slot)
    if case .reference(let reference) = value { return context.objectID(for: reference) }
    let type = layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType
    if case .integer(let number) = value, type != .booleanAttributeType { return NSNumber(value: number) }
    return AttributeValue.value(value, as: type).map { $0 as AnyObject }
  }

  /// Parallel arrays of keys and values, from which dictionaries are built. The buffers are used again for each row.
  struct Values {
    private var keys: [NSObject] = []
    private var values: [AnyObject] = []

    init(capacity: Int) {
      keys.reserveCapacity(capacity)
      values.reserveCapacity(capacity)
    }

    mutating func append(_ key: NSObject, value: AnyObject) {
      keys.append(key)
      values.append(value)
    }

    mutating func removeAll() {
      keys.removeAll(keepingCapacity: true)
      values.removeAll(keepingCapacity: true)
    }

    var dictionary: NSDictionary { NSDictionary(objects: values, forKeys: keys, count: keys.count) }
  }
}
