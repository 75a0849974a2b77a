#if PostgreSQL
  extension PostgreSQLStore: BoundedDestinationStore {
    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout,
      atMost limit: Int
    ) throws -> [ObjectReference] {
      let engine = try engine()
      return try reading("The relationship could not be read") {
        try engine.reader(index)
          .destinations(of: relationship, from: reference, layout: layout, atMost: limit, from: engine.newest)
      }
    }
  }
#endif
