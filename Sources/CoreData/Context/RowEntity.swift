/// The entity that brings a row along, for `NSManagedObject.init(entity:insertInto:)` to make the row's object.
///
/// Initialisers of Swift classes are inherited with their parameters, so a row cannot have an
/// initialiser of its own. A class gets the row as its argument only if it is known that none of
/// its own code sees that argument; objects of other classes find the row in their context.
// One thread makes an object.
final class RowEntity: NSEntityDescription, @unchecked Sendable {
  fileprivate var row: RowToMaterialize?
}

/// The row of an object that is being made. The function that makes the object holds the row, so
/// nothing is retained here.
struct RowToMaterialize {
  let key: Int64
  let store: Int32
  unowned(unsafe) let layout: EntityLayout
  let base: UnsafeMutableRawPointer?
  unowned(unsafe) let slab: RowSlab?
  /// The state that the object has at first.
  let state: ObjectState

  @inline(__always)
  fileprivate init(row: FetchedRow, context: NSManagedObjectContext) {
    (key, store, layout) = (row.key, row.store, row.layout)
    state = context.stateOfFetched.union(row.layout.initialState)
    (base, slab) = (row.row?.base, row.row?.slab)
  }
}

extension NSManagedObjectContext {
  /// The row of the object that is being made; `nil` for one that is new.
  @inline(__always)
  final func popRow(passedAs entity: NSEntityDescription) -> RowToMaterialize? {
    if type(of: entity) == RowEntity.self { return unsafeDowncast(entity, to: RowEntity.self).row.take() }
    guard rowToMaterialize != nil else { return nil }
    // It may be the row of an object that other code is making.
    checkConfinement("insert(_:)")
    return rowToMaterialize.take()
  }

  /// Makes the object of a row.
  @inline(__always)
  final func instantiateObject(for row: FetchedRow) -> NSManagedObject {
    withExtendedLifetime(row) {
      rowToMaterialize = RowToMaterialize(row: row, context: self)
      // It does not wait for longer than the row is there, should an initialiser not have asked for it.
      defer { rowToMaterialize = nil }
      if let initializer = row.layout.initializer { return instantiateObjectForRow(initializer) }
      entityToInstantiate = row.layout.entity
      return row.layout.objectClass.init(_madeIn: self, of: nil)
    }
  }

  /// Makes the object of the row that waits, which it gets as its entity.
  @inline(never)
  private final func instantiateObjectForRow(
    _ initializer: (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject
  ) -> NSManagedObject {
    // Making an object may make another one: then the outer one uses the spare.
    let entity = spareRowEntity.take() ?? RowEntity()
    entity.row = rowToMaterialize.take()
    defer { spareRowEntity = entity }
    return initializer(entity, self)
  }
}
