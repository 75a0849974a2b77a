import Foundation

@testable import CoreData

/// Builds rows and change sets without a context.
enum TestRows {
  private struct Missing: Error {
    let name: String
  }

  static func entity(_ name: String, in model: NSManagedObjectModel = TestModel.shared) throws
    -> NSEntityDescription
  {
    guard let entity = model.entitiesByName[name] else { throw Missing(name: name) }
    return entity
  }

  static func slot(_ name: String, _ layout: EntityLayout) throws -> Int {
    guard case .slot(let slot) = layout.places[name] else { throw Missing(name: name) }
    return slot
  }

  static func toMany(_ name: String, _ layout: EntityLayout) throws -> Int {
    guard case .toMany(let number) = layout.places[name] else { throw Missing(name: name) }
    return number
  }

  /// The change that inserts an object.
  static func insertion(
    _ name: String,
    _ values: [String: StoredValue],
    key: Int64? = nil,
    toMany: [ToManyChange] = [],
    in model: NSManagedObjectModel = TestModel.shared
  ) throws -> ObjectChange {
    let layout = try entity(name, in: model).layout
    let row = Row(layout: layout)
    for (name, value) in values { row.set(value, slot: try slot(name, layout)) }
    let reference = ObjectReference(
      key: key ?? TemporaryKey.next(),
      entity: layout.number,
      store: ObjectReference.noStore
    )
    return ObjectChange(
      reference: reference,
      layout: layout,
      row: row,
      committed: nil,
      changedSlots: layout.persistentSlots,
      toMany: toMany
    )
  }

  static func tag(_ name: String) throws -> ObjectChange { try insertion("Tag", ["name": .text(name)]) }

  /// The change that updates an object, based on the fetched row.
  static func update(
    _ fetched: FetchedRow,
    _ values: [String: StoredValue],
    toMany: [ToManyChange] = []
  ) throws -> ObjectChange {
    guard let committed = fetched.row else { throw Missing(name: "row") }
    let row = committed.copy()
    var slots: [Int] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      slots.append(try slot(name, fetched.layout))
      row.set(value, slot: slots[slots.count - 1])
    }
    return ObjectChange(
      reference: fetched.reference,
      layout: fetched.layout,
      row: row,
      committed: committed,
      changedSlots: slots,
      toMany: toMany
    )
  }

  static func deletion(_ fetched: FetchedRow) -> ObjectChange {
    ObjectChange(
      reference: fetched.reference,
      layout: fetched.layout,
      row: nil,
      committed: fetched.row,
      changedSlots: [],
      toMany: []
    )
  }
}

extension SQLiteStore {
  /// Opens a new store in a folder.
  static func open(
    _ folder: TemporaryFolder,
    model: NSManagedObjectModel = TestModel.shared,
    options: [AnyHashable: Any] = [:]
  ) throws -> SQLiteStore {
    let store = SQLiteStore(
      persistentStoreCoordinator: nil,
      configurationName: nil,
      at: folder.file(),
      options: options
    )
    model.freeze()
    store.index = 0
    try store.open(model: model)
    return store
  }

  func rows(
    _ entity: String,
    _ format: String? = nil,
    in model: NSManagedObjectModel = TestModel.shared
  ) throws -> [FetchedRow] {
    var query = FetchQuery(entity: try TestRows.entity(entity, in: model))
    query.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
    return try fetch(query)
  }

  /// Commits changes that must not conflict.
  @discardableResult
  func save(_ changes: ChangeSet) throws -> [Int64: ObjectReference] {
    switch try commit(changes) {
    case .saved(let references, _): return references
    case .conflicts(let conflicts):
      throw CocoaError.coreData(NSManagedObjectMergeError, message: "\(conflicts.count) conflicts")
    case .violations(let violations):
      throw CocoaError.coreData(
        NSManagedObjectConstraintMergeError,
        message: "\(violations.count) violations"
      )
    }
  }
}
