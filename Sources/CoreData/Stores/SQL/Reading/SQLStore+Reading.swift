import Predicates

/// Queries of the newest state.
extension SQLStore {
  package var store: Self { self }

  package func source() throws -> Engine.Newest { try engine().newest }

  /// The first destinations of a to-many relationship, at most so many.
  package func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int
  ) throws -> [ObjectReference] {
    try destinations(of: relationship, from: reference, layout: layout, atMost: limit, from: engine().newest)
  }
}

/// Queries of the newest state or of another.
extension SQLStore {
  func fetch(_ query: FetchQuery, from source: some SQLReadSource) throws -> [FetchedRow] {
    let engine = try engine()
    return try reading("The fetch failed") {
      let reader = engine.reader(index)
      return try Self.answering {
        try reader.fetch(query, from: source)
      } orElse: {
        try reader.decidedRows(query, decidesAll: true, from: source)
      }
    }
  }

  func count(_ query: FetchQuery, from source: some SQLReadSource) throws -> Int {
    let engine = try engine()
    return try reading("The count failed") {
      let reader = engine.reader(index)
      return try Self.answering {
        try reader.count(query, from: source)
      } orElse: {
        try reader.decidedCount(query, decidesAll: true, from: source)
      }
    }
  }

  func row(of reference: ObjectReference, layout: EntityLayout, from source: some SQLReadSource) throws -> FetchedRow? {
    let engine = try engine()
    return try reading("The object could not be read") {
      try engine.reader(index).row(of: reference, layout: layout, from: source)
    }
  }

  /// - Parameter limit: the largest number of destinations that are asked for, from 1; `nil` for all.
  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int? = nil,
    from source: some SQLReadSource
  ) throws -> [ObjectReference] {
    let engine = try engine()
    return try reading("The relationship could not be read") {
      try engine.reader(index)
        .destinations(of: relationship, from: reference, layout: layout, atMost: limit, from: source)
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
