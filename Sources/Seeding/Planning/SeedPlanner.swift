import CoreData

/// Checks the records of a run against the model and puts them into order, without a store.
struct SeedPlanner {
  private var planner: RecordPlanner
  private var recordsByEntity: [String: [PlannedRecord]] = [:]
  private var firstByKey: [String: [KeyValues: SeedPosition]] = [:]
  private var recordCounts: [[String: Int]] = []

  init(_ model: NSManagedObjectModel) {
    planner = RecordPlanner(model)
  }

  /// Adds all records of one source.
  mutating func add(_ reader: some SeedRecordReader) throws {
    var reader = reader
    var counts: [String: Int] = [:]
    planner.beginSource()
    while let record = try reader.next() {
      for planned in try planner.plan(record) {
        try add(planned)
        counts[planned.shape.name, default: 0] += 1
      }
    }
    recordCounts.append(counts)
  }

  /// Adds a record that was planned before.
  mutating func add(_ planned: PlannedRecord) throws {
    try checkUniqueness(planned)
    recordsByEntity[planned.shape.name, default: []].append(planned)
  }

  func finish() -> SeedPlan {
    let records = EntityOrder.sorted(recordsByEntity).flatMap { recordsByEntity[$0] ?? [] }
    return SeedPlan(records: records, naturalKeys: planner.shapes.naturalKeys, recordCounts: recordCounts)
  }

  /// A record that stands within another may name an object that has a record of its own, or several times the same.
  private mutating func checkUniqueness(_ record: PlannedRecord) throws {
    guard let value = record.naturalKey, let key = record.shape.naturalKey else { return }
    let first = firstByKey[record.shape.name]?[value]
    if first == nil || !record.isNested {
      firstByKey[record.shape.name, default: [:]][value] = record.position
    }
    guard let first, first.key == nil, !record.isNested else { return }
    let other = "record \(first.record ?? 0)\(first.file == record.position.file ? "" : " of \(first.file)")"
    throw SeedError(
      .ambiguousKey,
      at: record.position.with(key: key.name),
      "\(other) has the \(key.name) \(value.words) as well",
      remedy: "remove one, or declare another natural key in \(SeedHeader.keysKey) of the seed"
    )
  }
}
