public import Foundation

/// Objects that would have the same values of a uniqueness constraint.
///
/// Apple's documentation of `NSConstraintConflict`.
///
/// ```swift
/// Tag(context: context).name = "garden"
/// do {
///   try context.save()
/// } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
///   let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
///   print(conflicts.map(\.constraintValues))  // [["name": "garden"]]
///   context.rollback()
/// }
/// ```
open class NSConstraintConflict: NSObject {
  /// The names of the properties of the constraint.
  public final let constraint: [String]
  /// The values that the objects share, by property.
  public final let constraintValues: [String: Any]
  /// The object that has the values in the store; `nil` when the conflict is among unsaved objects alone.
  public final let databaseObject: NSManagedObject?
  /// The values that the store has of that object: attributes, and the IDs of to-one relationships.
  public final let databaseSnapshot: [String: Any]?
  /// The unsaved objects that have the values.
  public final let conflictingObjects: [NSManagedObject]
  /// The values of these objects before they changed; empty for new ones.
  public final let conflictingSnapshots: [[AnyHashable: Any]]

  /// A conflict about nothing: for stand-ins in tests.
  public override init() {
    constraint = []
    constraintValues = [:]
    databaseObject = nil
    databaseSnapshot = nil
    conflictingObjects = []
    conflictingSnapshots = []
    super.init()
  }

  /// Describes a conflict.
  public init(
    constraint contraint: [String],
    database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?,
    conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    constraint = contraint
    self.databaseObject = databaseObject
    self.databaseSnapshot = databaseSnapshot.map { snapshot in
      Dictionary(
        snapshot.compactMap { key, value in (key.base as? String).map { ($0, value) } },
        uniquingKeysWith: { first, _ in first }
      )
    }
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
    constraintValues = conflictingObjects.first?.dictionaryWithValues(forKeys: contraint) ?? [:]
    super.init()
  }

  convenience init(
    _ constraint: ConstraintLayout,
    database: (object: NSManagedObject, snapshot: [String: Any])?,
    conflicting objects: [NSManagedObject]
  ) {
    self.init(
      constraint: constraint.names,
      database: database?.object,
      databaseSnapshot: database?.snapshot,
      conflicting: objects,
      conflictingSnapshots: objects.map { object in object.committedRow.map(object.snapshot(of:)) ?? [:] }
    )
  }

  final var entityName: String { conflictingObjects.first?.layout.entity.name ?? "" }

  open override var description: String { describe() }

  /// The conflict in the middle of a sentence.
  final var inWords: String {
    let values = constraint.map { "\($0) = \(DescriptionNode.words(constraintValues[$0]))" }.joined(separator: ", ")
    let objects = conflictingObjects.map { $0.describeIdentity() }.joined(separator: ", ")
    let database =
      databaseObject.map { object in
        let store = object.objectID.persistentStore?.url?.path ?? ""
        return "\(object.describeIdentity()) in the store \(store)"
      } ?? "none in the store"
    return "\(entityName) with \(values): \(objects), \(database)"
  }
}
