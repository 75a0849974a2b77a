import CoreData

/// Finds the links between objects that one record of a run states and another removes, from the same side of a
/// relationship or from the other.
struct LinkContradictions {
  /// One of the two objects of a link.
  private enum End: Hashable {
    case key(KeyValues)
    /// An object without a natural key.
    case label(SeedLabel)
  }

  /// A link, which is the same from both sides of its relationship.
  private struct Link: Hashable {
    let relationship: String
    let from: End
    let to: End
  }

  /// The sides of a relationship: the name of each, and the natural keys of the objects that they lead to.
  private struct Sides {
    let name: String
    let inverse: String?
    let ownKey: NaturalKey?
    let destinationKey: NaturalKey?
  }

  private typealias Removal = (record: PlannedRecord, reference: PlannedRecord.Reference)

  private let labels: [SeedLabel: PlannedRecord]
  private let naturalKeys: NaturalKeys
  private var knownSides: [ObjectIdentifier: Sides] = [:]
  private var removed: [Link: Removal] = [:]

  /// - Parameter labels: The records of the run that have one.
  init(labels: [SeedLabel: PlannedRecord], naturalKeys: NaturalKeys) {
    self.labels = labels
    self.naturalKeys = naturalKeys
  }

  /// The errors of records that contradict an earlier record, each with the record's number.
  mutating func errors(in records: [PlannedRecord]) -> [(number: Int, error: SeedError)] {
    let records = records.filter { !$0.isUnchangedSeed }
    for record in records {
      for reference in record.references {
        for target in reference.removals ?? [] {
          for link in links(reference, to: target, of: record) { removed[link] = (record, reference) }
        }
      }
    }
    guard !removed.isEmpty else { return [] }
    var errors: [(number: Int, error: SeedError)] = []
    for record in records {
      for reference in record.references {
        for target in reference.targets {
          let link = links(reference, to: target, of: record).first { removed[$0] != nil }
          guard let link, let removal = removed[link] else { continue }
          errors.append(Self.error(target, reference: reference, of: record, removal: removal))
        }
      }
    }
    return errors
  }

  private static func error(
    _ target: PlannedRecord.Target,
    reference: PlannedRecord.Reference,
    of record: PlannedRecord,
    removal: Removal
  ) -> (number: Int, error: SeedError) {
    let stated = record.position.with(key: reference.relationship.name)
    let removing = removal.record.position.with(key: removal.reference.relationship.name)
    let isStatedLater = record.number >= removal.record.number
    let destination = [reference.destination.name, target.naturalKey?.words].compactMap { $0 }
      .joined(separator: " ")
    let link = "the link from the \(record.words) to the \(destination)"
    return (
      isStatedLater ? record.number : removal.record.number,
      SeedError(
        code: .contradiction,
        at: isStatedLater ? stated : removing,
        problem: isStatedLater
          ? "\(link) is removed by \(removing), and stated here"
          : "\(link) is stated by \(stated), and removed here",
        remedy: "leave it to one of them"
      )
    )
  }

  /// The link from a reference's object to a target. The result has two links if one relationship
  /// is its own inverse, and is empty if one of the objects cannot be identified.
  private mutating func links(
    _ reference: PlannedRecord.Reference,
    to target: PlannedRecord.Target,
    of record: PlannedRecord
  ) -> [Link] {
    let sides = sides(of: reference.relationship)
    guard let from = end(of: record, key: sides.ownKey), let to = end(of: target, key: sides.destinationKey)
    else { return [] }
    guard let inverse = sides.inverse, inverse <= sides.name else {
      return [Link(relationship: sides.name, from: from, to: to)]
    }
    let turned = Link(relationship: inverse, from: to, to: from)
    return inverse == sides.name ? [turned, Link(relationship: inverse, from: from, to: to)] : [turned]
  }

  private mutating func sides(of relationship: NSRelationshipDescription) -> Sides {
    if let known = knownSides[ObjectIdentifier(relationship)] { return known }
    let inverse = relationship.inverseRelationship
    let found = Sides(
      name: Self.name(relationship),
      inverse: inverse.map(Self.name),
      ownKey: (inverse?.destinationEntity).flatMap(naturalKeys.key(of:)),
      destinationKey: relationship.destinationEntity.flatMap(naturalKeys.key(of:))
    )
    knownSides[ObjectIdentifier(relationship)] = found
    return found
  }

  /// A name that is the same for the relationship of an entity and of those that inherit it.
  private static func name(_ relationship: NSRelationshipDescription) -> String {
    var entity = relationship.entity
    while let superentity = entity.superentity, superentity.relationshipsByName[relationship.name] != nil {
      entity = superentity
    }
    return "\(entity.name ?? "").\(relationship.name)"
  }

  /// - Parameter key: The natural key by which the other side refers to the object.
  private func end(of record: PlannedRecord, key: NaturalKey?) -> End? {
    if let values = key.flatMap({ record.values(for: $0) }) ?? record.naturalKey { return .key(values) }
    return record.label.map(End.label)
  }

  private func end(of target: PlannedRecord.Target, key: NaturalKey?) -> End? {
    switch target {
    case .key(let values), .label(_, let values?): return .key(values)
    case .label(let label, nil): return labels[label].flatMap { end(of: $0, key: key) } ?? End.label(label)
    }
  }
}

/// The names of the relationships of which records say something, kept to see whether a link that one record removes may
/// be stated from the other side.
struct StatedRelationships {
  private var names: Set<String> = []
  /// The other sides of the relationships from which links are removed.
  private var opposites: Set<String> = []

  /// True if all records have to be in memory to find out whether two of them contradict each other.
  var mayContradict: Bool { !opposites.isDisjoint(with: names) }

  mutating func add(_ record: PlannedRecord) {
    for reference in record.references {
      let relationship = reference.relationship
      if !names.contains(relationship.name) { names.insert(relationship.name) }
      guard reference.removals?.isEmpty == false, let inverse = relationship.inverseRelationship else { continue }
      opposites.insert(inverse.name)
    }
  }
}
