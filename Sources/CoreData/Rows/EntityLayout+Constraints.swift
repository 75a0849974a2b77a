import Predicates

/// A uniqueness constraint that applies to the rows of an entity, its own or an inherited one.
// Immutable. It belongs to a layout, which the entities' model keeps alive together with them.
package struct ConstraintLayout: @unchecked Sendable {
  /// A number that is unique among the constraints of a model.
  struct Number: Hashable {
    /// The number of the entity that declares it.
    let entity: Int
    let index: Int
  }

  let number: Number
  /// The entity that declares it.
  // Not owned: the model keeps it alive, see above.
  unowned(unsafe) let entity: NSEntityDescription
  let names: [String]
  package let slots: [Int]
}

/// An attribute whose value is computed when its object is saved.
struct DerivedSlot {
  let slot: Int
  let attribute: NSDerivedAttributeDescription
  let expression: NSExpression
}

extension ConstraintLayout {
  /// The constraints of an entity and all that it inherits from.
  static func all(of entity: NSEntityDescription, places: [String: EntityLayout.Place]) -> [Self] {
    var constraints: [Self] = []
    var declaring: NSEntityDescription? = entity
    while let current = declaring {
      for (index, group) in current.uniquenessConstraints.enumerated() {
        let names = group.compactMap { NSEntityDescription.propertyName($0) as? String }
        let slots = names.compactMap { name -> Int? in
          if case .slot(let slot)? = places[name] { slot } else { nil }
        }
        guard !slots.isEmpty, slots.count == group.count else { continue }
        let number = Number(entity: current.number, index: index)
        constraints.append(Self(number: number, entity: current, names: names, slots: slots))
      }
      declaring = current.superentity
    }
    return constraints
  }

  /// The values of a row that no other row may have; `nil` when one of them is missing, which breaks no constraint.
  func values(of row: Row) -> UniqueValues? {
    var values: [AnyHashable] = []
    for slot in slots {
      guard let value = Self.hashable(row.value(slot)) else { return nil }
      values.append(value)
    }
    return UniqueValues(constraint: number, values: values)
  }

  /// Texts are compared by their bytes, as SQLite does.
  private static func hashable(_ value: StoredValue) -> AnyHashable? {
    switch value {
    case .null: nil
    case .integer(let value): value
    case .real(let value): value
    case .text(let value): Array(value.utf8)
    case .data(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    case .object(let value): value as? AnyHashable
    case .reference(let value): value.key
    }
  }
}

/// The values of the properties of a uniqueness constraint.
// Immutable values.
struct UniqueValues: Hashable, @unchecked Sendable {
  let constraint: ConstraintLayout.Number
  let values: [AnyHashable]
}
