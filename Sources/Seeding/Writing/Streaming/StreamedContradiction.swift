#if !canImport(Darwin)
  import CoreData

  /// Two records of a chunked run contradict each other about one relationship, and only the later
  /// record is in memory. Thrown and caught on one thread.
  struct StreamedContradiction: Error, @unchecked Sendable {
    private let record: PlannedRecord
    private let number: Int
    private let reference: PlannedRecord.Reference
    private let relationship: String
    /// The object whose relationship the other record has set, in words.
    private let name: String
    /// The natural key of that object, and of the one that claims it by a list.
    private let keys: [(entity: String, key: KeyValues, relationship: String)]

    init(
      contradiction: RelationshipClaims.Contradiction,
      reference: PlannedRecord.Reference,
      item: StreamedItem,
      naturalKeys: NaturalKeys
    ) {
      let object = contradiction.object
      record = item.record
      number = item.number
      self.reference = reference
      relationship = contradiction.relationship
      name = naturalKeys.name(of: object)
      let owner = object.value(forKey: relationship) as? NSManagedObject
      let candidates = [(object, relationship), (owner, reference.relationship.name)]
      keys = candidates.compactMap { candidate, relationship in
        guard let candidate, let entity = candidate.entity.name, let key = naturalKeys.values(of: candidate)
        else { return nil }
        return (entity, key, relationship)
      }
    }

    /// Returns true if a record is the one that contradicts.
    func isOther(_ numbered: SeedRecordStream.Numbered) -> Bool {
      guard numbered.number != number else { return false }
      let other = numbered.record
      return keys.contains { entity, key, relationship in
        other.shape.name == entity && other.naturalKey == key
          && other.references.contains { $0.relationship.name == relationship }
      }
    }

    func described(at place: SeedPosition?) -> SeedError {
      SeedFailure.contradiction(record, reference: reference, relationship: relationship, of: name, at: place)
    }
  }
#endif
