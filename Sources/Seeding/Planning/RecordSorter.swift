import CoreData

/// Sorts the planned records of a run, and checks that no two have the same natural key or contradict each other.
struct RecordSorter {
  private var recordsByEntity: [String: [PlannedRecord]] = [:]
  private var firstByKey: [String: [KeyValues: PlannedRecord]] = [:]
  /// The statements about objects that several records describe.
  private var statements: [String: [KeyValues: RecordStatements]] = [:]
  private var recordsByLabel: [SeedLabel: PlannedRecord] = [:]
  private var referredLabels: Set<SeedLabel> = []

  /// Adds a record.
  ///
  /// - Throws: A `SeedError` when an earlier record has its natural key, or says something else of its object.
  mutating func add(_ numbered: SeedRecordStream.Numbered) throws {
    let planned = numbered.record
    planned.number = numbered.number
    try checkUniqueness(planned)
    recordsByEntity[planned.shape.name, default: []].append(planned)
    if let label = planned.label { recordsByLabel[label] = planned }
    for case .label(let label, _) in planned.references.lazy.flatMap(\.targets) { referredLabels.insert(label) }
  }

  /// True when a label that records refer to is the label of no record of the run.
  var lacksLabels: Bool { referredLabels.contains { recordsByLabel[$0] == nil } }

  /// The errors of records that state a link which another one removes, or the other way round, with their numbers.
  func linkErrors(_ naturalKeys: NaturalKeys) -> [(number: Int, error: SeedError)] {
    let records = recordsByEntity.sorted { $0.key < $1.key }.flatMap(\.value)
    let removes = records.contains { $0.references.contains { $0.removals?.isEmpty == false } }
    guard removes else { return [] }
    var contradictions = LinkContradictions(labels: recordsByLabel, naturalKeys: naturalKeys)
    return contradictions.errors(in: records)
  }

  /// The records in the order in which they are to be inserted.
  func sorted(_ naturalKeys: NaturalKeys, model: NSManagedObjectModel, empty: [NSEntityDescription])
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

  /// A nested record may describe an object that has a record of its own, or that other nested records describe.
  private mutating func checkUniqueness(_ record: PlannedRecord) throws {
    guard let value = record.naturalKey, let key = record.shape.naturalKey else { return }
    let first = firstByKey[record.shape.name]?[value]
    if first == nil || !record.isNested { firstByKey[record.shape.name, default: [:]][value] = record }
    guard let first else { return }
    guard !first.isNested, !record.isNested else {
      if first.isUnchangedSeed || record.isUnchangedSeed { return }
      return try statements[record.shape.name, default: [:]][value, default: RecordStatements(first)].add(record)
    }
    let place = first.position
    let other = "record \(place.record ?? 0)\(place.file == record.position.file ? "" : " of \(place.file)")"
    throw SeedError(
      code: .ambiguousKey,
      at: record.position.with(key: key.name),
      problem: "\(other) has the \(key.name) \(value.words) as well",
      remedy: "remove one, or declare another natural key in \(SeedHeader.keysKey) of the seed"
    )
  }
}

/// Sorts entities so that destinations come before the entities that refer to them.
enum DependencyOrder {
  /// The names of the entities: destinations before the entities whose records refer to them,
  /// otherwise by name. A cycle of relationships is cut at the first of its names.
  static func sorted(_ records: [String: [PlannedRecord]]) -> [String] {
    sorted(
      destinations: records.mapValues { records in
        var names: Set<String> = []
        for record in records {
          for reference in record.references where !reference.targets.isEmpty {
            names.insert(reference.destination.name)
          }
        }
        return names
      }
    )
  }

  static func sorted(destinations: [String: Set<String>]) -> [String] {
    var order: [String] = []
    var waiting = destinations.keys.sorted()
    var open = destinations.mapValues { $0.intersection(waiting) }
    while !waiting.isEmpty {
      let index = waiting.firstIndex { open[$0]?.subtracting([$0]).isEmpty ?? true } ?? 0
      let name = waiting.remove(at: index)
      order.append(name)
      for other in waiting { open[other]?.remove(name) }
    }
    return order
  }
}
