import CoreData

/// What a record states, for the store's ledger.
struct LedgerStatement {
  let properties: StatedProperties
  /// The digests of the values, followed by those of the references; 0 where there is none.
  let digests: [UInt64]
}

extension LedgerStatement {
  /// Makes the digests of a record.
  /// - Parameter reference: Gives the digest of a reference by its place; nil if it has none.
  init(of record: PlannedRecord, properties: StatedProperties, _ reference: (_ place: Int) -> UInt64?) {
    var digests: [UInt64] = []
    digests.reserveCapacity(properties.names.count)
    SeedDigest.forEach(of: record.values.lazy.map(\.value)) { digests.append($0 ?? SeedBaseline.nothing) }
    for place in record.references.indices { digests.append(reference(place) ?? SeedBaseline.nothing) }
    self.init(properties: properties, digests: digests)
  }
}

/// The properties that a record states, in its order. Records that state the same share one object.
final class StatedProperties {
  /// The names that the ledger has for them.
  let names: [String]
  private let values: [NSAttributeDescription]
  private let references: [(relationship: NSRelationshipDescription, isChange: Bool)]

  /// Makes properties that are known by their names alone.
  init(names: [String]) {
    self.names = names
    (values, references) = ([], [])
  }

  private init(_ record: PlannedRecord) {
    values = record.values.map(\.attribute)
    references = record.references.map { ($0.relationship, $0.removals != nil) }
    names = values.map(\.name) + record.references.map(\.ledgerName)
  }

  private func areStated(by record: PlannedRecord) -> Bool {
    record.values.count == values.count && record.references.count == references.count
      && values.indices.allSatisfy { values[$0] === record.values[$0].attribute }
      && references.indices.allSatisfy { place in
        let (known, reference) = (references[place], record.references[place])
        return known.relationship === reference.relationship && known.isChange == (reference.removals != nil)
      }
  }

  /// What records of each shape have stated. Used by one thread at a time.
  struct Cache {
    /// More different sets of properties of one shape are not kept.
    private static let most = 64

    private var known: [ObjectIdentifier: [StatedProperties]] = [:]

    mutating func properties(of record: PlannedRecord) -> StatedProperties {
      let shape = ObjectIdentifier(record.shape)
      if let found = known[shape]?.first(where: { $0.areStated(by: record) }) { return found }
      let new = StatedProperties(record)
      if known[shape]?.count == Self.most { known[shape] = nil }
      known[shape, default: []].append(new)
      return new
    }
  }
}
