/// The parts of a store's content that a lightweight migration takes away, so that no migration back
/// could restore them.
///
/// What a migration adds, renames, or turns into a wider type is none of them. Nor is what the store
/// itself does not hold: values that are computed, and what a model requires of values.
package struct ModelLoss: Hashable, Sendable {
  /// The entities whose objects are lost, by their older names.
  package private(set) var entities: [String] = []
  /// The properties with values that are lost or changed, as `Entity.property`, by their older names.
  package private(set) var properties: [String] = []
  /// What is lost, in words.
  private var parts: [String] = []

  package var isEmpty: Bool { parts.isEmpty }

  /// What is lost: `the objects of Tag, the values of Note.rating`.
  package var words: String { parts.joined(separator: ", ") }

  /// Compares two versions of a model.
  ///
  /// - Parameters:
  ///   - correspondence: what was what in the two versions.
  ///   - stored: the older names of the entities that the store has; `nil` for all.
  ///   - remaining: the newer names of those that it is to have; `nil` for all.
  package init(
    _ correspondence: ModelCorrespondence,
    stored: Set<String>? = nil,
    remaining: Set<String>? = nil
  ) {
    let matched = correspondence.entities.filter { remaining?.contains($0.key) ?? true }
    let newNames = Dictionary(matched.map { ($0.value, $0.key) }) { first, _ in first }
    let older = correspondence.old.document.entities.filter { stored?.contains($0.name) ?? true }
    for entity in older.sorted(by: { BinaryOrder.isLess($0.name, $1.name) }) where !entity.isAbstract {
      if let name = newNames[entity.name], let current = correspondence.new.entities[name],
        !current.isAbstract
      {
        compare(entity, current, correspondence)
      } else {
        entities.append(entity.name)
        parts.append("the objects of \(entity.name)")
      }
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Entity,
    _ entity: ModelDocument.Entity,
    _ correspondence: ModelCorrespondence
  ) {
    let (old, new) = (correspondence.old, correspondence.new)
    let names = correspondence.properties(of: entity.name)
    let newNames = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let current = Dictionary(new.properties(of: entity).map { ($0.name, $0) }) { first, _ in first }
    let properties = old.properties(of: former)
    for property in properties.sorted(by: { BinaryOrder.isLess($0.name, $1.name) }) {
      let match = newNames[property.name].flatMap { current[$0] }
      let place = "\(property.owner).\(property.name)"
      switch (property.kind, match?.kind) {
      case (.attribute(let before), .attribute(let after)?):
        compare(before, after, place, old.document.composites, new.document.composites)
      case (.relationship(let before), .relationship(let after)?): compare(before, after, place)
      case (.attribute(let before), _): if before.isHeld { add("the values of \(place)", place) }
      case (.relationship(let before), _):
        if !before.isTransient { add("the destinations of \(place)", place) }
      case (.fetched, _): break
      }
    }
    let kept = new.constraints(of: entity)
    for constraint in old.constraints(of: former).sorted(by: { $0.joined() < $1.joined() })
    where !constraint.allSatisfy({ newNames[$0] != nil })
      || !kept.contains(constraint.compactMap { newNames[$0] }.sorted())
    {
      add("the uniqueness of \(former.name) by \(constraint.joined(separator: " and "))")
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Attribute,
    _ attribute: ModelDocument.Attribute,
    _ place: String,
    _ formerComposites: [ModelDocument.Composite],
    _ composites: [ModelDocument.Composite]
  ) {
    guard former.isHeld else { return }
    let types = (former.type ?? .undefined, attribute.type ?? .undefined)
    if !attribute.isHeld {
      add("the values of \(place)", place)
    } else if types.0 == .composite, types.1 == .composite {
      let elements = (
        formerComposites.first { $0.name == former.composite }?.attributes ?? [],
        composites.first { $0.name == attribute.composite }?.attributes ?? []
      )
      let matches = ModelDocument.Attribute.matches(of: elements.1, in: elements.0)
      for element in elements.0 {
        let path = "\(place).\(element.name)"
        if let match = matches.first(where: { $0.former?.name == element.name }) {
          compare(element, match.element, path, formerComposites, composites)
        } else {
          add("the values of \(path)", path)
        }
      }
    } else if !types.0.fits(into: types.1) {
      add("values of \(place), which become \(types.1.rawValue)", place)
    }
    if former.isOptional, !attribute.isOptional, attribute.hasDefault {
      add("which objects have no value of \(place)", place)
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Relationship,
    _ relationship: ModelDocument.Relationship,
    _ place: String
  ) {
    if former.isTransient { return }
    if relationship.isTransient || (former.isToMany && !relationship.isToMany) {
      add("the destinations of \(place)", place)
    } else if former.isOrdered, !relationship.isOrdered {
      add("the order of \(place)", place)
    }
  }

  /// An inherited property is lost once, not once for each entity that has it.
  private mutating func add(_ part: String, _ property: String? = nil) {
    if !parts.contains(part) { parts.append(part) }
    if let property, !properties.contains(property) { properties.append(property) }
  }
}

extension ModelHierarchy {
  /// The names of the properties whose values together are unique, for each constraint of an entity
  /// and its ancestors.
  fileprivate func constraints(of entity: ModelDocument.Entity) -> Set<[String]> {
    let all = lineage(of: entity.name).compactMap { entities[$0]?.uniquenessConstraints }.joined()
    return Set(all.map { $0.properties.map(\.value).sorted() })
  }
}

extension ModelDocument.Attribute {
  /// True when a store holds values that it could not compute again.
  fileprivate var isHeld: Bool { !isTransient && !isDerived }

  fileprivate var hasDefault: Bool { defaultValueString != nil || defaultDateTimeInterval != nil }
}

extension ModelDocument.AttributeType {
  /// True when each value of the type is one of another type too.
  fileprivate func fits(into other: Self) -> Bool {
    switch (self, other) {
    case _ where self == other: true
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): true
    case (.integer16, .float), (.integer16, .double), (.integer32, .double), (.float, .double): true
    case (.integer16, .decimal), (.integer32, .decimal): true
    default: false
    }
  }
}
