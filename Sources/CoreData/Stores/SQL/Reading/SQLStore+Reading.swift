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
    try withReader("The fetch failed") { reader in
      try Self.answering {
        try reader.fetch(query, from: source)
      } orElse: {
        try reader.decidedRows(query, decidesAll: true, from: source)
      }
    }
  }

  func count(_ query: FetchQuery, from source: some SQLReadSource) throws -> Int {
    try withReader("The count failed") { reader in
      try Self.answering {
        try reader.count(query, from: source)
      } orElse: {
        try reader.decidedCount(query, decidesAll: true, from: source)
      }
    }
  }

  func row(of reference: ObjectReference, layout: EntityLayout, from source: some SQLReadSource) throws -> FetchedRow? {
    try withReader("The object could not be read") { try $0.row(of: reference, layout: layout, from: source) }
  }

  /// - Parameter limit: the largest number of destinations that are asked for, from 1; `nil` for all.
  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int? = nil,
    from source: some SQLReadSource
  ) throws -> [ObjectReference] {
    try withReader("The relationship could not be read") {
      try $0.destinations(of: relationship, from: reference, layout: layout, atMost: limit, from: source)
    }
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout,
    from source: some SQLReadSource
  ) throws -> [[FetchedRow]] {
    try withReader("The relationship could not be read") {
      try $0.destinations(of: relationship, fromEach: references, layout: layout, from: source)
    }
  }

  private func withReader<Value>(_ failing: String, _ read: (SQLReader) throws -> Value) throws -> Value {
    let engine = try engine()
    return try reading(failing) { try read(engine.reader(index)) }
  }
}
