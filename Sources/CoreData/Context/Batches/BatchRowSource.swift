import Foundation

/// The rows of a batch insertion, made one at a time of dictionaries, or by a handler.
final class BatchRowSource {
  private let layout: EntityLayout
  private let request: NSBatchInsertRequest
  private let defaults: Row
  private let requiredSlots: [Int]
  /// The types of the attributes that stores keep, by slot; `nil` for all other slots.
  private let types: [NSAttributeType?]
  /// True when rows tell which slots were given.
  private let tellsGiven: Bool
  private let produce: (BatchRowSource) throws -> BatchRow?
  /// The object that is being made, counted from 0: errors name it.
  private var position = 0
  /// The object that the object handler is given.
  private lazy var object = context.makeObjectOutside(of: layout)
  /// The dictionary that the dictionary handler is given: the same again, unless the handler keeps it.
  private var dictionary: HandlerDictionary?
  private let context: NSManagedObjectContext
  /// The memory of the next rows: one allocation for many.
  private var slab: RowSlab

  /// - Parameter tellsGiven: true when rows are to tell which slots were given.
  /// - Throws: an error when the request does not specify the objects to insert.
  init(
    _ request: NSBatchInsertRequest,
    layout: EntityLayout,
    context: NSManagedObjectContext,
    tellsGiven: Bool
  ) throws {
    self.request = request
    self.layout = layout
    self.context = context
    defaults = layout.newRow()
    self.tellsGiven = tellsGiven
    slab = RowSlab.make(layout: layout, capacity: RowSlab.rowsPerFetchedSlab)
    types = layout.slots.map { $0.isTransient ? nil : $0.attribute?.attributeType }
    requiredSlots = layout.persistentSlots.filter { slot in layout.slots[slot].attribute?.isOptional == false }
    if request.objectsToInsert != nil {
      produce = { try $0.rowOfNextDictionary() }
    } else if request.dictionaryHandler != nil {
      produce = { try $0.rowOfDictionaryHandler() }
    } else if request.managedObjectHandler != nil {
      produce = { try $0.rowOfObjectHandler() }
    } else {
      throw StoreFailure.operation(
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
    let row = newRow()
    var given: [Int] = []
    given.reserveCapacity(objects[position].count)
    for (key, value) in objects[position] {
      let slot = try slot(key)
      try set(value, slot: slot, of: row)
      given.append(slot)
    }
    given.sort()
    return BatchRow(row: row, given: given)
  }

  private func rowOfDictionaryHandler() throws -> BatchRow? {
    let dictionary = nextDictionary()
    guard let handler = request.dictionaryHandler, !handler(dictionary) else { return nil }
    for key in dictionary.others.keys { _ = try slot(key.base as? String ?? "\(key.base)") }
    for (slot, value) in dictionary.unconverted {
      _ = try self.slot(layout.slots[slot].name)
      dictionary.row.set(try layout.storedValue(value, slot: slot, position: position), slot: slot)
    }
    return BatchRow(row: dictionary.row, given: tellsGiven ? dictionary.givenSlots : [])
  }

  /// The dictionary that was filled last, unless the handler has kept it.
  private func nextDictionary() -> HandlerDictionary {
    if isKnownUniquelyReferenced(&dictionary), let dictionary {
      dictionary.begin(newRow())
      return dictionary
    }
    let new = HandlerDictionary(layout: layout, types: types, row: newRow())
    dictionary = new
    return new
  }

  private func rowOfObjectHandler() throws -> BatchRow? {
    object.extras = nil
    object.setRow(defaults.copy())
    guard let handler = request.managedObjectHandler, !handler(object) else { return nil }
    try checkRelationships()
    let row = object.currentRow
    let given = tellsGiven ? layout.persistentSlots.filter { !row.hasEqualValue(defaults, slot: $0) } : []
    return BatchRow(row: row, given: given)
  }

  /// A row with the default values.
  private func newRow() -> Row {
    if slab.isFull { slab = RowSlab.make(layout: layout, capacity: RowSlab.rowsPerFetchedSlab) }
    let row = Row(slab: slab, base: slab.appendRow())
    layout.copyValues(from: defaults.base, to: row.base)
    return row
  }

  private func set(_ value: Any, slot: Int, of row: Row) throws {
    if let type = types[slot], let stored = AttributeValue.plain(value, as: type) {
      row.set(stored, slot: slot)
    } else {
      row.set(try layout.storedValue(value, slot: slot, position: position), slot: slot)
    }
  }

  // MARK: - What cannot be inserted

  private func slot(_ key: String) throws -> Int {
    if let index = layout.names.index(of: key), index >= 0, types[index] != nil { return index }
    if layout.places[key] == nil { throw layout.unknownKey(key) }
    throw cannotInsert(key, reason: "which is not an attribute that a store keeps; set it in a context afterwards")
  }

  /// Most stores have no value for "not a number".
  private func isNotANumber(_ slot: Int, of row: Row) -> Bool {
    guard layout.kind(slot) == .real, case .real(let number) = row.value(slot) else { return false }
    return number.isNaN
  }

  private func checkRequired(_ row: Row) throws {
    for slot in requiredSlots where !row.hasValue(slot) || isNotANumber(slot, of: row) {
      throw CocoaError.coreData(
        NSValidationMissingMandatoryPropertyError,
        message: """
          object \(position) of the batch has no value for \(layout.entity.name ?? "").\(layout.slots[slot].name), which \
          is required; give it one, or give the attribute a default value.
          """,
        userInfo: [NSValidationKeyErrorKey: layout.slots[slot].name]
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
    throw cannotInsert(first, reason: "which is a relationship; set it in a context afterwards")
  }

  private func cannotInsert(_ key: String, reason: String) -> NSError {
    StoreFailure.operation("object \(position) of the batch sets \(layout.entity.name ?? "").\(key), \(reason).")
  }
}
