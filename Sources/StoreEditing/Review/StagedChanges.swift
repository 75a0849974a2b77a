import CoreData
import Foundation
import StoreExploration

/// Describes the changes that a save would write. Used on the queue of the session's context.
///
/// A change of a relationship is described on the side that the store saves. An unordered to-many relationship
/// whose inverse is to-one only mirrors changes of its inverse.
struct StagedChanges {
  /// The greatest number of destinations that the description of one property names.
  private static let mostNamed = 10

  private let state: EditingState
  /// The changed objects: inserted ones, then updated ones, then deleted ones.
  let objects: [(object: NSManagedObject, kind: StagedObject.Kind)]

  init(_ state: EditingState) {
    self.state = state
    state.context.processPendingChanges()
    let updated = state.context.updatedObjects.filter { object in
      Self.properties(of: object).contains { Self.isChanged($0, of: object) }
    }
    func sorted(_ objects: Set<NSManagedObject>, kind: StagedObject.Kind) -> [(NSManagedObject, StagedObject.Kind)] {
      StagedDestinations.sorted(Array(objects)).map { ($0, kind) }
    }
    objects =
      sorted(state.context.insertedObjects, kind: .inserted) + sorted(updated, kind: .updated)
      + sorted(state.context.deletedObjects, kind: .deleted)
  }

  /// - Parameter isReviewed: selects the objects of the review.
  func review(
    atMost most: Int,
    isReviewed: (NSManagedObject, StagedObject.Kind) -> Bool = { _, _ in true }
  ) -> StagedReview {
    let objects = objects.filter { isReviewed($0.object, $0.kind) }
    func count(_ kind: StagedObject.Kind) -> Int { objects.count { $0.kind == kind } }
    return StagedReview(
      objects: objects.prefix(most).map { staged($0.object, kind: $0.kind) },
      insertedCount: count(.inserted),
      updatedCount: count(.updated),
      deletedCount: count(.deleted)
    )
  }

  /// The staged changes of an object; `nil` if there are none.
  func staged(_ object: NSManagedObject) -> StagedObject? {
    objects.first { $0.object === object }.map { staged($0.object, kind: $0.kind) }
  }

  private func staged(_ object: NSManagedObject, kind: StagedObject.Kind) -> StagedObject {
    StagedObject(
      link: state.link(object),
      kind: kind,
      isTakenAlong: kind == .deleted && !state.deletedByHand.contains(object),
      changes: kind == .deleted
        ? [] : Self.properties(of: object).compactMap { change(of: $0, object: object) }
    )
  }

  // MARK: - Properties

  private static func properties(of object: NSManagedObject) -> [NSPropertyDescription] {
    StoreGrid.columns(of: object.entity).compactMap { object.entity.propertiesByName[$0.name] }
      .filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) && !isMirror($0) }
      .filter { property in
        // A relationship that is still a fault was not changed from this side.
        guard let relationship = property as? NSRelationshipDescription, relationship.isToMany else { return true }
        return !object.hasFault(forRelationshipNamed: relationship.name)
      }
  }

  private static func isMirror(_ property: NSPropertyDescription) -> Bool {
    guard let relationship = property as? NSRelationshipDescription, relationship.isToMany,
      !relationship.isOrdered, let inverse = relationship.inverseRelationship
    else { return false }
    return !inverse.isToMany
  }

  private static func isChanged(_ property: NSPropertyDescription, of object: NSManagedObject) -> Bool {
    let before = committed(property.name, of: object)
    return !ValueEquality.isEqual(before, other: object.value(forKey: property.name))
  }

  /// The value at the last fetch or save; `nil` if there was no value.
  private static func committed(_ key: String, of object: NSManagedObject) -> Any? {
    let value = object.committedValues(forKeys: [key])[key]
    return value is NSNull ? nil : value
  }

  private func change(of property: NSPropertyDescription, object: NSManagedObject) -> StagedChange? {
    let (before, after) = (Self.committed(property.name, of: object), object.value(forKey: property.name))
    if ValueEquality.isEqual(before, other: after) { return nil }
    if let attribute = property as? NSAttributeDescription {
      let difference = StagedChange.Difference.value(
        before: .value(ShownValue(value: before, attribute: attribute)),
        after: .value(ShownValue(value: after, attribute: attribute))
      )
      return StagedChange(property: property.name, difference: difference)
    }
    guard let relationship = property as? NSRelationshipDescription else { return nil }
    if relationship.isToMany {
      return StagedChange(property: property.name, difference: members(before, after: after))
    }
    let difference = StagedChange.Difference.value(
      before: .object((before as? NSManagedObject).map(state.link)),
      after: .object((after as? NSManagedObject).map(state.link))
    )
    return StagedChange(property: property.name, difference: difference)
  }

  private func members(_ before: Any?, after: Any?) -> StagedChange.Difference {
    let isOrdered = after is NSOrderedSet
    let (before, after) = (Self.objects(before), Self.objects(after))
    let (was, isNow) = (Set(before), Set(after))
    let added = after.filter { !was.contains($0) }
    let removed = before.filter { !isNow.contains($0) }
    let told = (added.prefix(Self.mostNamed), removed.prefix(Self.mostNamed))
    // Added objects come last unless they were moved.
    let isReordered = isOrdered && after != before.filter(isNow.contains) + added
    let first = after.prefix(Self.mostNamed)
    return .members(
      added: told.0.map(state.link),
      removed: told.1.map(state.link),
      untold: added.count + removed.count - told.0.count - told.1.count,
      order: isReordered ? StagedOrder(objects: first.map(state.link), untold: after.count - first.count) : nil
    )
  }

  private static func objects(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet: StagedDestinations.sorted(set.allObjects.compactMap { $0 as? NSManagedObject })
    default: []
    }
  }
}
