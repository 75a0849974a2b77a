/// Records of a text that was read as a whole, where its format has the shape of JSON seeds.
struct SeedTree: SeedRecordReader {
  private var records: IndexingIterator<[SeedRecord]>

  init(_ records: [SeedRecord]) {
    self.records = records.makeIterator()
  }

  mutating func next() -> SeedRecord? { records.next() }
}
