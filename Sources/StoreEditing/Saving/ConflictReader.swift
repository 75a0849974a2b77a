import CoreData
import Foundation
import StoreExploration

/// Converts Core Data's conflicts to plain values. Used on the queue of the session's context.
struct ConflictReader {
  let state: EditingState
  /// True if the names of objects may be read from the store. This is not possible during a save.
  var readsNames = false

  /// The conflicts of a save error. Empty for any other error.
  func conflicts(of error: NSError) -> [EditingConflict] {
    let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? []
    return list.compactMap { conflict in
      switch conflict {
      case let conflict as NSMergeConflict: VersionComparison(conflict).needsDecision ? self.conflict(conflict) : nil
      case let conflict as NSConstraintConflict: self.conflict(conflict)
      default: nil
      }
    }
  }

  func conflict(_ conflict: NSMergeConflict) -> EditingConflict {
    let object = conflict.sourceObject
    let comparison = VersionComparison(conflict)
    let kind: EditingConflict.Kind =
      conflict.persistedSnapshot == nil ? .deletedThere : object.isDeleted ? .deletedHere : .changed
    return EditingConflict(
      object: state.link(object),
      kind: kind,
      properties: comparison.properties.map { property in
        EditingConflict.Property(
          name: property.name,
          base: value(comparison.base(property), property: property),
          mine: value(comparison.mine(property), property: property),
          theirs: value(comparison.theirs(property), property: property)
        )
      }
    )
  }

  func conflict(_ conflict: NSConstraintConflict) -> EditingConflict? {
    guard let object = conflict.conflictingObjects.first else { return nil }
    let names = StoreGrid.columns(of: object.entity).map(\.name)
    let properties = names.compactMap { object.entity.propertiesByName[$0] }
      .filter { !VersionComparison.isMany($0) && !$0.isTransient }
    let before = conflict.conflictingSnapshots.first
    let kind = EditingConflict.Kind.notUnique(
      constraint: conflict.constraint,
      other: conflict.databaseObject.map(state.link),
      isNew: object.isInserted
    )
    return EditingConflict(
      object: state.link(object),
      kind: kind,
      properties: properties.map { property in
        EditingConflict.Property(
          name: property.name,
          base: value(before?[property.name], property: property),
          mine: value(VersionComparison.mine(property, of: object), property: property),
          theirs: value(conflict.databaseSnapshot?[property.name], property: property)
        )
      }
      .filter { $0.mine != $0.theirs || conflict.constraint.contains($0.name) }
    )
  }

  private func value(_ value: Any?, property: NSPropertyDescription) -> StagedValue {
    if let attribute = property as? NSAttributeDescription {
      return .value(ShownValue(value: value, attribute: attribute))
    }
    guard let id = value as? NSManagedObjectID else { return .object(nil) }
    if let known = known(id) { return .object(state.link(known)) }
    let link = ObjectLink(entity: id.entity.name ?? "", key: id.key)
    return .object(EditedLink(object: EditedObject(entity: link.entity, key: link.key), name: link.name))
  }

  /// The object with an ID, if it is loaded or may be read; otherwise `nil`.
  private func known(_ id: NSManagedObjectID) -> NSManagedObject? {
    if let known = state.context.registeredObject(for: id), !known.isFault { return known }
    guard readsNames else { return nil }
    do {
      return try state.context.existingObject(with: id)
    } catch {
      // The object was also deleted, or cannot be read. Its key identifies it.
      return nil
    }
  }
}

/// The three versions of an object in a conflict: the version before the staged changes, the staged version, and
/// the version in the store.
struct VersionComparison {
  private let conflict: NSMergeConflict

  init(_ conflict: NSMergeConflict) { self.conflict = conflict }

  /// False if both sides deleted the object, or the other side did not change a visible value.
  var needsDecision: Bool {
    guard conflict.persistedSnapshot != nil else { return !conflict.sourceObject.isDeleted }
    return all.contains { !ValueEquality.isEqual(base($0), other: theirs($0)) }
  }

  /// The properties that one or both sides changed.
  var properties: [NSPropertyDescription] {
    let isGone = conflict.persistedSnapshot == nil
    return all.filter { property in
      !ValueEquality.isEqual(base(property), other: mine(property))
        || !isGone && !ValueEquality.isEqual(base(property), other: theirs(property))
    }
  }

  /// The attributes and to-one relationships that a store saves.
  private var all: [NSPropertyDescription] {
    let entity = conflict.sourceObject.entity
    return StoreGrid.columns(of: entity).compactMap { entity.propertiesByName[$0.name] }.filter { property in
      !property.isTransient && !(property is NSDerivedAttributeDescription) && !Self.isMany(property)
    }
  }

  static func isMany(_ property: NSPropertyDescription) -> Bool {
    (property as? NSRelationshipDescription)?.isToMany ?? false
  }

  func base(_ property: NSPropertyDescription) -> Any? { conflict.objectSnapshot?[property.name] }
  func theirs(_ property: NSPropertyDescription) -> Any? { conflict.persistedSnapshot?[property.name] }

  func mine(_ property: NSPropertyDescription) -> Any? { Self.mine(property, of: conflict.sourceObject) }

  /// The value of an object in the form of a snapshot.
  static func mine(_ property: NSPropertyDescription, of object: NSManagedObject) -> Any? {
    let value = object.value(forKey: property.name)
    return (value as? NSManagedObject)?.objectID ?? value
  }
}
