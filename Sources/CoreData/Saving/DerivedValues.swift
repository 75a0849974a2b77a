import Foundation
import Predicates

/// Computes derived attributes of the objects that a save changes, and of those whose values depend on them.
///
/// Apple's documentation of `NSDerivedAttributeDescription`: the values are up to date once the context is saved.
struct DerivedValues {
  private let now = Date()

  /// - Throws: an error that names the attribute whose expression cannot be evaluated.
  func update(_ changed: ContiguousArray<NSManagedObject>) throws {
    guard let model = changed.first?.registry.model, model.hasDerivedAttributes else { return }
    var updated: Set<ObjectIdentifier> = []
    for object in changed where !object.isDeleted && object.hasPersistentChangedValues {
      try update(object, &updated)
    }
    for object in changed {
      for dependent in dependents(of: object) where !dependent.isDeleted { try update(dependent, &updated) }
    }
  }

  private func update(_ object: NSManagedObject, _ updated: inout Set<ObjectIdentifier>) throws {
    guard !object.layout.derivedSlots.isEmpty, updated.insert(ObjectIdentifier(object)).inserted else {
      return
    }
    for derived in object.layout.derivedSlots {
      let value = try value(of: derived, in: object)
      if Row.areEqual(object.currentRow.value(derived.slot), value) { continue }
      object.writeSlot(value, derived.slot)
    }
  }

  private func value(of derived: DerivedSlot, in object: NSManagedObject) throws -> StoredValue {
    if derived.expression.description == "now()" { return .real(now.timeIntervalSinceReferenceDate) }
    let value: Any?
    do {
      value = try ExpressionEvaluator(derived.expression)(object)
    } catch {
      throw failure(derived, error.localizedDescription)
    }
    if let stored = AttributeValue.stored(value, as: derived.attribute.attributeType) { return stored }
    throw failure(derived, "\(value ?? "nil") is no value of the attribute's type")
  }

  private func failure(_ derived: DerivedSlot, _ reason: String) -> NSError {
    CocoaError.coreData(
      NSPersistentStoreSaveError,
      """
      the derived attribute \(derived.attribute.modelPath) cannot be computed by \(derived.expression): \(reason); \
      correct its derivationExpression.
      """
    )
  }

  /// The objects whose derived attributes lead to an object by a relationship that has an inverse.
  private func dependents(of object: NSManagedObject) -> [NSManagedObject] {
    object.layout.entity.allRelationships.flatMap { relationship -> [NSManagedObject] in
      guard let inverse = relationship.frozenInverse, inverse.leadsToDerivedValues else { return [] }
      switch object.layout.places[relationship.name] {
      case .slot(let slot)?: return object.destination(slot).map { [$0] } ?? []
      case .toMany(let index)?: return object.members(index)
      case nil: return []
      }
    }
  }
}

extension NSManagedObjectModel {
  fileprivate final var hasDerivedAttributes: Bool {
    numberedEntities.contains { !$0.layout.derivedSlots.isEmpty }
  }
}

extension NSRelationshipDescription {
  /// Whether a derived attribute of the relationship's entity, or one under it, is computed from what is behind the
  /// relationship.
  fileprivate final var leadsToDerivedValues: Bool {
    entity.selfAndAllSubentities.contains { entity in
      entity.layout.derivedSlots.contains {
        $0.expression.description.split(separator: ".").first ?? "" == name
      }
    }
  }
}
