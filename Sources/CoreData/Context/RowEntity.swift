/// The entity that brings a row along, for `NSManagedObject.init(entity:insertInto:)` to make the
/// row's object.
///
/// The initialisers of Swift's classes are inherited with their parameters, so that a row cannot
/// have one of its own. Only classes of which it is known that no code of theirs sees the argument
/// get it; others find the row in their context.
// One thread makes an object.
final class RowEntity: NSEntityDescription, @unchecked Sendable {
  fileprivate var row: FetchedRow?
}

extension NSManagedObjectContext {
  /// The row of the object that is being made; `nil` for one that is new.
  @inline(__always)
  final func popRow(passedAs entity: NSEntityDescription) -> FetchedRow? {
    if type(of: entity) == RowEntity.self { return unsafeDowncast(entity, to: RowEntity.self).row.take() }
    guard rowToMaterialize != nil else { return nil }
    return rowToMaterialize.take()
  }

  /// Makes the object of a row.
  @inline(__always)
  final func instantiateObject(for row: FetchedRow) -> NSManagedObject {
    // First of all, so that the row is copied once.
    rowToMaterialize = row
    if let initializer = row.layout.initializer { return instantiateObjectForRow(initializer) }
    entityToInstantiate = row.layout.entity
    return row.layout.objectClass.init(_madeIn: self)
  }

  /// Makes the object of the row that waits, which it gets as its entity.
  @inline(never)
  private final func instantiateObjectForRow(_ initializer: ClassMembers.Initializer) -> NSManagedObject {
    // An object may come to be while another is made: then the one that waits has the spare.
    let entity = spareRowEntity.take() ?? RowEntity()
    entity.row = rowToMaterialize.take()
    defer { spareRowEntity = entity }
    return initializer(entity, self)
  }
}
