import ModelFormats

/// Finds probable renames without a renaming identifier: an element was removed, and a new element of the
/// same kind resembles it.
struct RenameSuspicion {
  /// A removed element and the new element that resembles it.
  struct Pair: Hashable {
    /// The entity in the newer version.
    let entity: String
    /// The kind of the element: `attribute`, `relationship` or `entity`.
    let kind: String
    let former: String
    let name: String
    /// The new property; nil where an entity is new.
    let property: String?
  }

  /// A property, with the kind and type that must be equal in both versions.
  private struct Shape {
    let name: String
    let kind: String
    let type: String
  }

  let pairs: [Pair]

  init(from old: ModelDocument, to new: ModelDocument) {
    let correspondence = ModelCorrespondence(from: old, to: new)
    var pairs = Self.entities(old, new: new, correspondence: correspondence)
    for entity in new.entities {
      guard let formerName = correspondence.entities[entity.name], let former = old.entity(named: formerName)
      else { continue }
      let names = correspondence.properties(of: entity.name)
      // A property that moved within the entity hierarchy appears here under its own name.
      let (kept, formerNames) = (Set(names.values), Set(names.keys))
      let gone = Self.shapes(former).filter { !kept.contains($0.name) }
      let added = Self.shapes(entity).filter { !formerNames.contains($0.name) }
      pairs += Self.match(gone, added: added).map {
        Pair(entity: entity.name, kind: $0.1.kind, former: $0.0.name, name: $0.1.name, property: $0.1.name)
      }
    }
    self.pairs = pairs
  }

  private static func shapes(_ entity: ModelDocument.Entity) -> [Shape] {
    entity.attributes.filter { !$0.isTransient && !$0.isDerived }.map {
      Shape(name: $0.name, kind: "attribute", type: ($0.type ?? .undefined).rawValue)
    }
      + entity.relationships.filter { !$0.isTransient }.map {
        Shape(name: $0.name, kind: "relationship", type: "\($0.destinationEntity ?? "") \($0.isToMany)")
      }
  }

  /// Pairs with similar names, and pairs of the only removed and the only new property of a type.
  private static func match(_ gone: [Shape], added: [Shape]) -> [(Shape, Shape)] {
    var found: [(Shape, Shape)] = []
    for former in gone {
      func isAlike(_ shape: Shape) -> Bool { shape.kind == former.kind && shape.type == former.type }
      let candidates = added.filter(isAlike)
      let isOnly = candidates.count == 1 && gone.filter(isAlike).count == 1
      if let match = candidates.first(where: { resembles(former.name, other: $0.name) })
        ?? (isOnly ? candidates.first : nil)
      {
        found.append((former, match))
      }
    }
    return found
  }

  private static func entities(
    _ old: ModelDocument,
    new: ModelDocument,
    correspondence: ModelCorrespondence
  ) -> [Pair] {
    let kept = Set(correspondence.entities.values)
    let gone = old.entities.filter { !kept.contains($0.name) }
    let added = new.entities.filter { correspondence.entities[$0.name] == nil }
    return gone.compactMap { former in
      let names = Set(shapes(former).map(\.name))
      if names.isEmpty { return nil }
      let match = added.first { names.intersection(shapes($0).map(\.name)).count * 2 > names.count }
      return match.map { Pair(entity: $0.name, kind: "entity", former: former.name, name: $0.name, property: nil) }
    }
  }

  /// True when one name contains the other, or when at least half of the longer one's letters can stay.
  static func resembles(_ name: String, other: String) -> Bool {
    let (left, right) = (Array(name.lowercased()), Array(other.lowercased()))
    let longer = max(left.count, right.count)
    // The distance of very long names takes long and means little.
    guard longer > 0, longer <= 200 else { return false }
    return distance(left, right: right) * 2 <= longer
  }

  /// The number of letters that have to be added, removed or replaced.
  private static func distance(_ left: [Character], right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var previous = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let diagonal = previous
        previous = row[place + 1]
        row[place + 1] = min(diagonal + (letter == other ? 0 : 1), row[place] + 1, previous + 1)
      }
    }
    return row[right.count]
  }
}
