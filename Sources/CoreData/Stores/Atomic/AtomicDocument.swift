import Foundation

/// The contents of a store that is kept as a whole, as plain values: between the rows in memory and a file's format.
struct AtomicDocument {
  /// One object. Its key is its own in the whole store.
  struct Object {
    let key: Int64
    let entity: NSEntityDescription
    /// The values of attributes by name; none for null.
    var values: [String: StoredValue] = [:]
    /// The keys of destinations by the name of the relationship.
    var destinations: [String: [Int64]] = [:]
  }

  /// The limit leaves as many further keys as any store has objects.
  static let largestKey = Int64.max - 1 << 32

  var metadata: StoreMetadata
  /// The last key that was assigned.
  var lastKey: Int64 = 0
  var objects: [Object] = []
}

extension AtomicDocument {
  /// The document of a store's contents, its objects by key.
  init(_ contents: InMemoryContents, metadata: StoreMetadata, model: NSManagedObjectModel) {
    self.metadata = metadata
    for entity in model.numberedEntities where !entity.isAbstract {
      for (key, row) in contents.rows(of: [entity.layout]) {
        objects.append(Object(key: key, row: row, contents: contents))
        lastKey = max(lastKey, key)
      }
    }
    lastKey = max(lastKey, contents.lastSharedKey)
    objects.sort { $0.key < $1.key }
  }

  /// The contents of a store in memory.
  func contents(store: Int32) -> InMemoryContents {
    var contents = InMemoryContents(sharesKeys: true)
    let numbers = Dictionary(
      objects.map { ($0.key, $0.entity.layout.number) },
      uniquingKeysWith: { first, _ in first }
    )
    func reference(_ key: Int64) -> ObjectReference? {
      numbers[key].map { ObjectReference(key: key, entity: $0, store: store) }
    }
    for object in objects {
      let layout = object.entity.layout
      let row = Row(layout: layout)
      row.version = 1
      row.setTransientDefaults()
      for (slot, description) in layout.slots.enumerated() where !description.isTransient {
        if let value = object.values[description.name] {
          row.set(value, slot: slot)
        } else if let key = object.destinations[description.name]?.first, let found = reference(key) {
          row.set(.reference(found), slot: slot)
        }
      }
      contents.set(row, key: object.key, root: layout.rootNumber)
      for toMany in layout.toMany {
        let found = (object.destinations[toMany.name] ?? []).compactMap(reference)
        contents.setDestinations(found, of: toMany.relationship, from: object.key)
      }
    }
    contents.recordSharedKey(lastKey)
    return contents
  }
}

extension AtomicDocument.Object {
  fileprivate init(key: Int64, row: Row, contents: InMemoryContents) {
    self.init(key: key, entity: row.layout.entity)
    for (slot, description) in row.layout.slots.enumerated() where !description.isTransient {
      switch row.value(slot) {
      case .null: continue
      case .reference(let reference): destinations[description.name] = [reference.key]
      case let value: values[description.name] = value
      }
    }
    for toMany in row.layout.toMany where !toMany.relationship.isTransient {
      let found = contents.destinations(of: toMany.relationship, from: key)
      if !found.isEmpty { destinations[toMany.name] = found.map(\.key) }
    }
  }
}
