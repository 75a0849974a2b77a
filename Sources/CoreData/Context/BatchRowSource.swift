import Foundation

/// The rows of a batch insertion, made one at a time of dictionaries, or by a handler.
final class BatchRowSource {
  private let layout: EntityLayout
  private let request: NSBatchInsertRequest
  private let defaults: Row
  private let requiredSlots: [Int]
  private let produce: (BatchRowSource) throws -> BatchRow?
  /// The object that is being made, counted from 0: errors name it.
  private var position = 0
  /// What the object handler is given.
  private lazy var object = context.makeObjectOutside(of: layout)
  private let context: NSManagedObjectContext

  /// - Throws: an error when the request says nothing of what is to be inserted.
  init(_ request: NSBatchInsertRequest, layout: EntityLayout, context: NSManagedObjectContext) throws {
    self.request = request
    self.layout = layout
    self.context = context
    defaults = layout.newRow()
    requiredSlots = layout.persistentSlots.filter { slot in
      layout.slots[slot].attribute?.isOptional == false
    }
    if request.objectsToInsert != nil {
      produce = { try $0.rowOfNextDictionary() }
    } else if request.dictionaryHandler != nil {
      produce = { try $0.rowOfDictionaryHandler() }
    } else if request.managedObjectHandler != nil {
      produce = { try $0.rowOfObjectHandler() }
    } else {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        """
        a batch insertion into \(layout.entity.name ?? "") has no objects; set objectsToInsert, dictionaryHandler or \
        managedObjectHandler.
        """
      )
    }
  }

  /// The next row; `nil` at the end.
  ///
  /// - Throws: an error that names the object's place, the entity and the key.
  func next() throws -> BatchRow? {
    guard let row = try produce(self) else { return nil }
    try checkRequired(row.row)
    position += 1
    return row
  }

  // MARK: - Where rows come from

  private func rowOfNextDictionary() throws -> BatchRow? {
    guard let objects = request.objectsToInsert, position < objects.count else { return nil }
    return try row(objects[position].lazy.map { ($0.key, $0.value) })
  }

  private func rowOfDictionaryHandler() throws -> BatchRow? {
    let dictionary = NSMutableDictionary()
    guard let handler = request.dictionaryHandler, !handler(dictionary) else { return nil }
    return try row(dictionary.lazy.map { ($0.key as? String ?? "\($0.key)", $0.value) })
  }

  private func rowOfObjectHandler() throws -> BatchRow? {
    object.extras = nil
    object.setRow(defaults.copy())
    guard let handler = request.managedObjectHandler, !handler(object) else { return nil }
    try checkRelationships()
    let row = object.currentRow
    return BatchRow(row: row, given: layout.persistentSlots.filter { !row.hasEqualValue(defaults, $0) })
  }

  private func row(_ values: some Sequence<(String, Any)>) throws -> BatchRow {
    let row = defaults.copy()
    var given: [Int] = []
    for (key, value) in values {
      let slot = try slot(key)
      row.set(try layout.storedValue(value, slot, position: position), slot)
      given.append(slot)
    }
    given.sort()
    return BatchRow(row: row, given: given)
  }

  // MARK: - What cannot be inserted

  private func slot(_ key: String) throws -> Int {
    if case .slot(let slot)? = layout.places[key], layout.slots[slot].attribute != nil,
      !layout.slots[slot].isTransient
    {
      return slot
    }
    if layout.places[key] == nil { throw layout.unknownKey(key) }
    throw cannotInsert(key, "which is no attribute that a store keeps; set it in a context afterwards")
  }

  private func checkRequired(_ row: Row) throws {
    for slot in requiredSlots where !row.hasValue(slot) {
      throw CocoaError.coreData(
        NSValidationMissingMandatoryPropertyError,
        """
        object \(position) of the batch has no value for \(layout.entity.name ?? "").\(layout.slots[slot].name), which \
        is required; give it one, or give the attribute a default value.
        """,
        [NSValidationKeyErrorKey: layout.slots[slot].name]
      )
    }
  }

  /// Takes the object out of relationships again, and reports the first that a handler set.
  private func checkRelationships() throws {
    var names = layout.referenceSlots.filter { object.currentRow.hasValue($0) }.map { layout.slots[$0].name }
    for (index, relationship) in (object.extras?.toMany ?? []).enumerated()
    where relationship?.hasChanges == true {
      names.append(layout.toMany[index].name)
    }
    guard let first = names.first else { return }
    for name in names { object.setValue(nil, forKey: name) }
    throw cannotInsert(first, "which is a relationship; set it in a context afterwards")
  }

  private func cannotInsert(_ key: String, _ reason: String) -> NSError {
    CocoaError.coreData(
      NSPersistentStoreOperationError,
      "object \(position) of the batch sets \(layout.entity.name ?? "").\(key), \(reason)."
    )
  }
}
