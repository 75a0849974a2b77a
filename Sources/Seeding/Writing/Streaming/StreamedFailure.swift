#if !canImport(Darwin)
  import CoreData

  /// The errors of records that are imported in chunks.
  enum StreamedFailure {
    static func duplicate(_ record: PlannedRecord) -> SeedError {
      let name = record.shape.naturalKey?.name ?? ""
      return SeedError(
        code: .ambiguousKey,
        at: record.position.with(key: name),
        problem: "an earlier record has the \(name) \(record.naturalKey?.words ?? "") as well",
        remedy: "remove one, or declare another natural key in \(SeedHeader.keysKey) of the seed"
      )
    }

    static func missing(_ record: PlannedRecord) -> SeedError {
      SeedError(
        code: .storeFailed,
        at: record.position,
        problem: "the \(record.shape.name) that was made of it is not in the store any more",
        remedy: "seed again"
      )
    }

    static func unknown(_ key: KeyValues, reference: PlannedRecord.Reference, record: PlannedRecord)
      -> SeedError
    {
      let destination = reference.destination
      return SeedError(
        code: .unknownReference,
        at: record.position.with(key: reference.relationship.name),
        problem: """
          there is no \(destination.name) with the \(destination.naturalKey?.name ?? "") \(key.words), neither in the store \
          nor in a record that can go before this one
          """,
        remedy: """
          correct it, add the \(destination.name) to the seed, or make relationships optional that lead round in a circle
          """
      )
    }
  }

#endif
