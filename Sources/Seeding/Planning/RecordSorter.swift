import CoreData

/// Puts the planned records of a run into order, and checks that no two have one natural key.
struct RecordSorter {
  private var recordsByEntity: [String: [PlannedRecord]] = [:]
  private var firstByKey: [String: [KeyValues: SeedPosition]] = [:]
  private var labels: Set<SeedLabel> = []
  private var referredLabels: Set<SeedLabel> = []

  /// Adds a record.
  ///
  /// - Throws: A `SeedError` when an earlier record has its natural key.
  mutating func add(_ numbered: SeedIntake.Numbered) throws {
    let planned = numbered.record
    planned.number = numbered.number
    try checkUniqueness(planned)
    recordsByEntity[planned.shape.name, default: []].append(planned)
    if let label = planned.label { labels.insert(label) }
    for case .label(let label, _) in planned.references.lazy.flatMap(\.targets) {
      referredLabels.insert(label)
    }
  }

  /// True when a label that records refer to is the label of no record of the run.
  var lacksLabels: Bool { !referredLabels.isSubset(of: labels) }

  /// The records in the order in which they are to be inserted.
  func sorted(_ naturalKeys: NaturalKeys, _ model: NSManagedObjectModel, empty: [NSEntityDescription])
    -> PlannedRecords
  {
    let records = DependencyOrder.sorted(recordsByEntity).flatMap { recordsByEntity[$0] ?? [] }
    return PlannedRecords(
      records: records,
      empty: empty,
      entities: model.entitiesByName,
      naturalKeys: naturalKeys
    )
  }

  /// A record that stands within another may name an object that has a record of its own, or
  /// several times the same.
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
