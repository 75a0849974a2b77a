import Foundation

/// What a dictionary handler of a batch insertion fills: values by slot, without a dictionary in between.
///
/// Foundation's own mutable dictionary boxes each key and each value, which costs several times what SQLite takes for the
/// row.
final class HandlerDictionary: NSMutableDictionary {
  private let layout: EntityLayout
  /// The values of attributes and to-one relationships; `nil` where none was given.
  private(set) var values: [Any?]
  /// What has a key that names no slot.
  private(set) var others: [AnyHashable: Any] = [:]

  init(layout: EntityLayout) {
    self.layout = layout
    values = Array(repeating: nil, count: layout.slots.count)
    super.init(objects: [], forKeys: [], count: 0)
  }

  /// Foundation asks for the initialisers of archives and literals all the same.
  required convenience init?(coder: NSCoder) { nil }
  required convenience init() { Self.failForeign() }
  required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
    Self.failForeign()
  }
  required convenience init(dictionaryLiteral elements: (Any, Any)...) { Self.failForeign() }

  private static func failForeign() -> Never {
    fatalError(
      "the dictionary of a batch insertion's handler is made by the insertion; make an NSMutableDictionary."
    )
  }

  override var count: Int { values.lazy.filter { $0 != nil }.count + others.count }

  override func object(forKey aKey: Any) -> Any? {
    if let slot = slot(aKey) { return values[slot] }
    return (aKey as? AnyHashable).flatMap { others[$0] }
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    if let slot = slot(aKey.base) {
      values[slot] = anObject
    } else {
      others[aKey] = anObject
    }
  }

  override func removeObject(forKey aKey: Any) {
    if let slot = slot(aKey) {
      values[slot] = nil
    } else if let key = aKey as? AnyHashable {
      others[key] = nil
    }
  }

  override func removeAllObjects() {
    for slot in values.indices { values[slot] = nil }
    others.removeAll()
  }

  override func keyEnumerator() -> NSEnumerator {
    let names = values.indices.filter { values[$0] != nil }.map { layout.slots[$0].name as Any }
    return NSArray(array: names + others.keys.map(\.base)).objectEnumerator()
  }

  private func slot(_ key: Any) -> Int? {
    guard let name = key as? String, let index = layout.names.index(of: name), index >= 0 else { return nil }
    return index
  }
}
