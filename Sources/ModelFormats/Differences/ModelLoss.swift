/// The parts of a store's content that a lightweight migration removes, so that a migration back
/// could not restore them.
///
/// Parts that a migration adds, renames or converts to a wider type are not included. Neither are things that the store
/// itself does not contain: computed values, and the rules that a model sets for values.
package struct ModelLoss: Hashable, Sendable {
  /// The entities that lose their objects, by their older names.
  package private(set) var entities: [String] = []
  /// The properties with values that are lost or changed, as `Entity.property`, by their older names.
  package private(set) var properties: [String] = []
  /// The entities and properties that the newer model does not have any more, sorted by name.
  package private(set) var removals: [Removal] = []
  /// The lost parts, each once.
  package private(set) var parts: [Part] = []

  package var isEmpty: Bool { parts.isEmpty }

  /// The lost parts in words: `the objects of Tag, the values of Note.rating`.
  package var words: String { parts.map(\.words).joined(separator: ", ") }

  /// Compares two versions of a model.
  ///
  /// - Parameters:
  ///   - correspondence: the parts of the two versions that correspond.
  ///   - stored: the older names of the entities that the store has; `nil` for all.
  ///   - remaining: the newer names of those that it is to have; `nil` for all.
  package init(_ correspondence: ModelCorrespondence, stored: Set<String>? = nil, remaining: Set<String>? = nil) {
    let matched = correspondence.entities.filter { remaining?.contains($0.key) ?? true }
    let newNames = Dictionary(matched.map { ($0.value, $0.key) }) { first, _ in first }
    let older = correspondence.old.document.entities.filter { stored?.contains($0.name) ?? true }
    for entity in older.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) }) where !entity.isAbstract {
      if let name = newNames[entity.name], let current = correspondence.new.entities[name],
        !current.isAbstract
      {
        compare(entity, entity: current, correspondence: correspondence)
      } else {
        entities.append(entity.name)
        removals.append(Removal(entity: entity.name))
        parts.append(Part(words: "the objects of \(entity.name)", entity: entity.name))
      }
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Entity,
    entity: ModelDocument.Entity,
    correspondence: ModelCorrespondence
  ) {
    let (old, new) = (correspondence.old, correspondence.new)
    let names = correspondence.properties(of: entity.name)
    let newNames = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let current = Dictionary(new.properties(of: entity).map { ($0.name, $0) }) { first, _ in first }
    let properties = old.properties(of: former)
    for property in properties.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) }) {
      let match = newNames[property.name].flatMap { current[$0] }
      let place = "\(property.owner).\(property.name)"
      switch (property.kind, match?.kind) {
      case (.attribute(let before), .attribute(let after)?):
        compare(
          before,
          attribute: after,
          place: place,
          of: former,
          (old.document.composites, new.document.composites)
        )
      case (.relationship(let before), .relationship(let after)?):
        compare(before, relationship: after, place: place, of: former)
      case (.attribute(let before), _): if before.isHeld { remove("values", of: place, entity: former) }
      case (.relationship(let before), _):
        if !before.isTransient { remove("destinations", of: place, entity: former) }
      case (.fetched, _): break
      }
    }
    let kept = new.constraints(of: entity)
    for constraint in old.constraints(of: former).sorted(by: { $0.joined() < $1.joined() })
    where !constraint.allSatisfy({ newNames[$0] != nil })
      || !kept.contains(constraint.compactMap { newNames[$0] }.sorted())
    {
      add("the uniqueness of \(former.name) by \(constraint.joined(separator: " and "))", of: former)
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Attribute,
    attribute: ModelDocument.Attribute,
    place: String,
    of entity: ModelDocument.Entity,
    _ composites: (old: [ModelDocument.Composite], new: [ModelDocument.Composite])
  ) {
    guard former.isHeld else { return }
    let types = (former.type ?? .undefined, attribute.type ?? .undefined)
    if !attribute.isHeld {
      remove("values", of: place, entity: entity)
    } else if types.0 == .composite, types.1 == .composite {
      let elements = (
        composites.old.first { $0.name == former.composite }?.attributes ?? [],
        composites.new.first { $0.name == attribute.composite }?.attributes ?? []
      )
      let matches = ModelDocument.Attribute.matches(of: elements.1, in: elements.0)
      for element in elements.0 {
        let path = "\(place).\(element.name)"
        if let match = matches.first(where: { $0.former?.name == element.name }) {
          compare(element, attribute: match.element, place: path, of: entity, composites)
        } else {
          remove("values", of: path, entity: entity)
        }
      }
    } else if !types.0.fits(into: types.1) {
      add("values of \(place), which become \(types.1.rawValue)", property: place, of: entity)
    }
    if former.isOptional, !attribute.isOptional, attribute.hasDefault {
      add("which objects have no value of \(place)", property: place, of: entity)
    }
  }

  private mutating func compare(
    _ former: ModelDocument.Relationship,
    relationship: ModelDocument.Relationship,
    place: String,
    of entity: ModelDocument.Entity
  ) {
    if former.isTransient { return }
    if relationship.isTransient || (former.isToMany && !relationship.isToMany) {
      remove("destinations", of: place, entity: entity, keeping: relationship.isTransient ? 0 : 1)
    } else if former.isOrdered, !relationship.isOrdered {
      add("the order of \(place)", property: place, of: entity)
    }
  }

  /// - Parameter count: the number of destinations that an object keeps.
  private mutating func remove(
    _ content: String,
    of place: String,
    entity: ModelDocument.Entity,
    keeping count: Int = 0
  ) {
    add("the \(content) of \(place)", property: place, of: entity)
    removals.append(Removal(entity: entity.name, property: place, keptCount: count))
  }

  /// An inherited property is lost once, not once for each entity that has it.
  private mutating func add(_ words: String, property: String? = nil, of entity: ModelDocument.Entity) {
    if !parts.contains(where: { $0.words == words }) {
      parts.append(Part(words: words, entity: entity.name, property: property))
    }
    if let property, !properties.contains(property) { properties.append(property) }
  }
}

extension ModelLoss {
  /// One of the things that are lost.
  package struct Part: Hashable, Sendable {
    /// `the values of Note.rating`
    package let words: String
    /// The older name of an entity whose objects lose it.
    package let entity: String
    /// The property as `Entity.property`, with the entity that declares it; `nil` where it is about objects as a whole.
    package let property: String?

    package init(words: String, entity: String, property: String? = nil) {
      self.words = words
      self.entity = entity
      self.property = property
    }
  }

  /// An entity that the newer model does not have any more, or a property of an entity that it
  /// keeps, by their older names.
  package struct Removal: Hashable, Sendable {
    /// The entity whose own objects lose something. Its subentities have removals of their own.
    package let entity: String
    /// The property as `Entity.property`, with the entity that declares it; `nil` for the objects themselves.
    package let property: String?
    /// The number of destinations that an object keeps, where a relationship to many becomes one to one.
    package let keptCount: Int

    package init(entity: String, property: String? = nil, keptCount: Int = 0) {
      self.entity = entity
      self.property = property
      self.keptCount = keptCount
    }

    /// The name of the lost part: `Entity` or `Entity.property`.
    package var name: String { property ?? entity }

    /// The property's key path from an object; `nil` for the objects themselves.
    package var keyPath: String? {
      property.map { String($0.drop { $0 != "." }.dropFirst()) }
    }
  }
}

extension ModelHierarchy {
  /// The names of the properties whose values together are unique, for each constraint of an entity and its ancestors.
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
  /// True if every value of the type is also a value of another type.
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
