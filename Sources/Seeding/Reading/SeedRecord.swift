/// One record of a seed: the seed's name for its entity, its position, and its fields.
struct SeedRecord: Sendable {
  /// The entity as the seed spells it, such as `notes`.
  let entity: String
  let position: SeedPosition
  let fields: [SeedField]

  /// True if this is an empty list instead of a record: the entity is to have no objects.
  var isEmptyList = false

  /// True when it is a row of a table: the objects in it are columns whose keys have dots.
  var isRow = false
}

extension SeedRecord {
  /// True if it is a part of a file's header instead of a record of an entity.
  var isHeader: Bool { entity == SeedHeader.word }

  /// A list of records without any.
  init(emptyListOf entity: String, at position: SeedPosition) {
    self.init(entity: entity, position: position, fields: [], isEmptyList: true)
  }

  /// One key of a file's header and its value.
  init(header key: String, value: SeedValue, at position: SeedPosition) {
    self.init(entity: SeedHeader.word, position: position, fields: [SeedField(key: key, value: value)])
  }
}

/// Gives the records of one source one by one, so that a reader need not hold a whole file.
protocol SeedRecordReader {
  /// The next record, nil after the last.
  ///
  /// - Throws: `SeedError`; after an error the reader cannot be used any more.
  mutating func next() throws -> SeedRecord?
}

/// Records of a text that was read as a whole, where its format has the shape of JSON seeds.
struct SeedTree: SeedRecordReader {
  private var records: IndexingIterator<[SeedRecord]>

  init(_ records: [SeedRecord]) { self.records = records.makeIterator() }

  mutating func next() -> SeedRecord? { records.next() }
}
