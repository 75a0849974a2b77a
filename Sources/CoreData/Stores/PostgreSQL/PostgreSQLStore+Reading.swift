#if PostgreSQL
  import Foundation

  extension PostgreSQLStore {
    func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try fetch(query, from: engine().connections) }

    func count(_ query: FetchQuery) throws -> Int { try count(query, from: engine().connections) }

    func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
      try row(of: reference, layout: layout, from: engine().connections)
    }

    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout
    ) throws -> [ObjectReference] {
      try destinations(of: relationship, from: reference, layout: layout, from: engine().connections)
    }

    func destinations(
      of relationship: Int,
      fromEach references: [ObjectReference],
      layout: EntityLayout
    ) throws -> [[FetchedRow]] {
      try destinations(of: relationship, fromEach: references, layout: layout, from: engine().connections)
    }

    func snapshot() throws -> (any StoreReader)? {
      let engine = try engine()
      return try reading("The state of the store could not be kept") {
        try PostgreSQLSnapshot(self, engine)
      }
    }

    // MARK: - From the newest state or another

    func fetch(_ query: FetchQuery, from source: some SQLReadSource) throws -> [FetchedRow] {
      let engine = try engine()
      return try reading("The fetch failed") {
        try engine.reader(index).fetch(query, from: source)
      }
    }

    func count(_ query: FetchQuery, from source: some SQLReadSource) throws -> Int {
      let engine = try engine()
      return try reading("The count failed") {
        try engine.reader(index).count(query, from: source)
      }
    }

    func row(
      of reference: ObjectReference,
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> FetchedRow? {
      let engine = try engine()
      return try reading("The object could not be read") {
        try engine.reader(index).row(of: reference, layout: layout, from: source)
      }
    }

    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> [ObjectReference] {
      let engine = try engine()
      return try reading("The relationship could not be read") {
        try engine.reader(index)
          .destinations(of: relationship, from: reference, layout: layout, from: source)
      }
    }

    func destinations(
      of relationship: Int,
      fromEach references: [ObjectReference],
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> [[FetchedRow]] {
      let engine = try engine()
      return try reading("The relationship could not be read") {
        try engine.reader(index)
          .destinations(of: relationship, fromEach: references, layout: layout, from: source)
      }
    }
  }
#endif
