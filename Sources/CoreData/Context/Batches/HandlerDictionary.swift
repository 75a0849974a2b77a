import Foundation

/// The dictionary that a dictionary handler of a batch insertion fills: it writes into a row,
/// without a dictionary in between.
///
/// Foundation's own mutable dictionary boxes each key and each value, which costs several times
/// what SQLite takes for the row.
final class HandlerDictionary: NSMutableDictionary {
  private let layout: EntityLayout
  /// The types of the attributes that can be inserted, by slot; `nil` for all other slots.
  private let types: [NSAttributeType?]
  /// The row that is filled; it has the default values at first.
  @exclusivity(unchecked) private(set) var row: Row
  /// The slots that were given a value, by whether they were.
  @exclusivity(unchecked) private var given: [Bool]
  /// Values whose type differs from the type that rows keep, by slot. They may need a conversion, or be wrong.
  @exclusivity(unchecked) private(set) var unconverted: [Int: Any] = [:]
  /// The values whose keys name no slot.
  @exclusivity(unchecked) private(set) var others: [AnyHashable: Any] = [:]

  init(layout: EntityLayout, types: [NSAttributeType?], row: Row) {
    self.layout = layout
    self.types = types
    self.row = row
    given = Array(repeating: false, count: layout.slots.count)
    super.init(objects: [], forKeys: [], count: 0)
  }

  /// Begins the next object.
  func begin(_ row: Row) {
    self.row = row
    for slot in given.indices { given[slot] = false }
    if !unconverted.isEmpty { unconverted = [:] }
    if !others.isEmpty { others = [:] }
  }

  /// The slots that were given a value.
  var givenSlots: [Int] { given.indices.filter { given[$0] } }

  /// Foundation asks for the initialisers of archives and literals all the same.
  required convenience init?(coder: NSCoder) { nil }
  required convenience init() { Self.failForeign() }
  required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
    Self.failForeign()
  }
  required convenience init(dictionaryLiteral elements: (Any, Any)...) { Self.failForeign() }

  private static func failForeign() -> Never {
    fatalError("the dictionary of a batch insertion's handler is made by the insertion; make an NSMutableDictionary.")
  }

  override var count: Int { givenSlots.count + others.count }

  override func object(forKey aKey: Any) -> Any? {
    guard let slot = slot(aKey) else { return (aKey as? AnyHashable).flatMap { others[$0] } }
    guard given[slot] else { return nil }
    return unconverted[slot] ?? plainValue(slot)
  }

  /// A value as Foundation's dictionaries give it: numbers as those of Swift.
  private func plainValue(_ slot: Int) -> Any? {
    guard let type = types[slot] else { return nil }
    return switch (row.value(slot), type) {
    case (.integer(let value), .booleanAttributeType): value != 0
    case (.integer(let value), _): Int(value)
    case (.real(let value), .doubleAttributeType): value
    case (let value, _): AttributeValue.value(value, as: type)
    }
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    guard let slot = slot(aKey.base) else {
      others[aKey] = anObject
      return
    }
    given[slot] = true
    if !unconverted.isEmpty { unconverted[slot] = nil }
    if let type = types[slot], let plain = AttributeValue.plain(anObject, as: type) {
      row.set(plain, slot: slot)
    } else {
      unconverted[slot] = anObject
    }
  }

  override func removeObject(forKey aKey: Any) {
    if let slot = slot(aKey) {
      given[slot] = false
      unconverted[slot] = nil
      row.set(layout.slots[slot].defaultValue, slot: slot)
    } else if let key = aKey as? AnyHashable {
      others[key] = nil
    }
  }

  override func keyEnumerator() -> NSEnumerator {
    let names = givenSlots.map { layout.slots[$0].name as Any }
    return NSArray(array: names + others.keys.map(\.base)).objectEnumerator()
  }

  // MARK: - What Foundation casts

  /// The same keys and values in a dictionary of Foundation's own class.
  ///
  /// Foundation on Linux casts dictionaries of its own classes alone to a Swift dictionary: a cast of
  /// this one is empty. The members that would cast it are overridden to cast this copy.
  private var plain: NSMutableDictionary {
    let plain = NSMutableDictionary()
    for slot in givenSlots {
      let name = layout.slots[slot].name
      if let value = object(forKey: name) { plain.setObject(value, forKey: name) }
    }
    for (key, value) in others { plain.setObject(value, forKey: key) }
    return plain
  }

  override func copy(with zone: NSZone? = nil) -> Any { plain.copy() }

  override func mutableCopy(with zone: NSZone? = nil) -> Any { plain }

  override func isEqual(_ value: Any?) -> Bool {
    if let other = value as? HandlerDictionary { return plain.isEqual(other.plain) }
    return plain.isEqual(value)
  }

  /// Foundation on Linux finds a number unequal to the same number that a Swift dictionary holds, and Foundation on Apple's platforms
  /// finds them equal. As a dictionary of Foundation's, the other one holds it as `NSNumber` too.
  override func isEqual(to otherDictionary: [AnyHashable: Any]) -> Bool {
    plain.isEqual(NSDictionary(dictionary: otherDictionary))
  }

  override func write(to url: URL, atomically: Bool) -> Bool { plain.write(to: url, atomically: atomically) }

  private func slot(_ key: Any) -> Int? {
    guard let name = key as? String, let index = layout.names.index(of: name), index >= 0 else { return nil }
    return index
  }
}
