import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
  private enum Fate {
    case created, updated, unchanged, left
  }

  let context: NSManagedObjectContext
  let plan: PlannedRecords
  private let mode: SeedMode
  private let leavesOutFailures: Bool
  private(set) var objects: [NSManagedObject] = []
  private var fates: [Fate] = []
  private var index: ObjectIndex
  private var labels = LabelIndex()
  private var deleted: [String: Int] = [:]

  /// - Parameter leavesOutFailures: Whether to go on at a record that is wrong, to find all others that are.
  init(
    _ plan: PlannedRecords,
    _ mode: SeedMode,
    in context: NSManagedObjectContext,
    leavesOutFailures: Bool = false
  ) {
    self.plan = plan
    self.mode = mode
    self.leavesOutFailures = leavesOutFailures
    self.context = context
    index = ObjectIndex(context)
    objects.reserveCapacity(plan.records.count)
    fates.reserveCapacity(plan.records.count)
  }

  /// Inserts what is not there, changes what differs, then ties the objects together; deletes what the mode says.
  mutating func write() throws {
    if mode == .replace { try delete { _ in false } }
    if mode != .insert { try findPresentObjects() }
    var found = RecordFailures.Found()
    for record in plan.records {
      try found.collecting(record.number, if: leavesOutFailures) { try writeValues(of: record) }
      if let label = record.label, let object = objects.last { labels.add(object, label) }
    }
    try found.check()
    try findReferredObjects()
    for (place, record) in plan.records.enumerated() where fates[place] != .left {
      try found.collecting(record.number, if: leavesOutFailures) { try writeReferences(of: place) }
    }
    try found.check()
    if mode == .prune {
      let kept = Set(objects.map(ObjectIdentifier.init))
      try delete { kept.contains(ObjectIdentifier($0)) }
    }
  }

  /// Deletes the objects of the seeds' entities that are not to be kept, of those with empty lists too.
  private mutating func delete(unless isKept: (NSManagedObject) -> Bool) throws {
    var entities = Dictionary(plan.records.map { ($0.shape.name, $0.shape.entity) }) { first, _ in first }
    for entity in plan.empty { entities[entity.name ?? ""] = entity }
    let deletion = SeedDeletion(context: context, savesBatches: false)
    for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
      deleted[name] = try deletion.delete(entity, unless: isKept)
    }
  }

  /// What to throw for an error of writing, or of saving what was written: the records that are wrong, where they are to
  /// be left out and nothing else is, or a `SeedError`.
  func failure(_ error: any Error) -> any Error {
    if error is RecordFailures.Found { return error }
    if leavesOutFailures {
      let found = SeedFailure.records(error) { object in
        objects.firstIndex { $0 === object }.map { (plan.records[$0].number, plan.records[$0].position) }
      }
      if let found { return found }
    }
    return SeedFailure.described(error) { object in
      objects.firstIndex { $0 === object }.map { plan.records[$0].position }
    }
  }

  /// What became of the records, by the name of their entity.
  var counts: [String: SeedReport.Counts] {
    var counts: [String: SeedReport.Counts] = [:]
    for (record, fate) in zip(plan.records, fates) {
      switch fate {
      case .created: counts[record.shape.name, default: .init()].created += 1
      case .updated: counts[record.shape.name, default: .init()].updated += 1
      case .unchanged: counts[record.shape.name, default: .init()].unchanged += 1
      case .left: counts[record.shape.name, default: .init()].skipped += 1
      }
    }
    for (name, count) in deleted where count > 0 { counts[name, default: .init()].deleted += count }
    return counts
  }

  private mutating func findPresentObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      if let key = record.naturalKey { wanted.add(key, of: record.shape) }
    }
    try index.fetch(wanted)
  }

  private mutating func writeValues(of record: PlannedRecord) throws {
    if mode != .insert, let key = record.naturalKey,
      let object = try index.object(key, of: record.shape, at: record.position)
    {
      objects.append(object)
      if mode == .createOnly {
        fates.append(.left)
      } else {
        fates.append(ObjectWriting.set(record.values, of: object) ? .updated : .unchanged)
      }
    } else {
      let object = ObjectWriting.create(record, in: context)
      objects.append(object)
      fates.append(.created)
      // A record within another may name it once more.
      if let key = record.naturalKey { index.add(object, key, of: record.shape) }
    }
  }

  /// Objects of the seed can be referred to from everywhere in it; what else is referred to is looked for in the
  /// store.
  private mutating func findReferredObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      for reference in record.references {
        for key in reference.keys { wanted.add(key, of: reference.destination) }
      }
    }
    for destination in wanted.shapes {
      guard let key = destination.naturalKey else { continue }
      for (record, object) in zip(plan.records, objects)
      where record.shape.entity.isKindOf(entity: destination.entity) {
        guard let value = record.values(for: key) else { continue }
        index.add(object, value, of: destination)
      }
    }
    try index.fetch(wanted)
  }

  private mutating func writeReferences(of number: Int) throws {
    let record = plan.records[number]
    let object = objects[number]
    for reference in record.references {
      let name = reference.relationship.name
      let position = record.position.with(key: name)
      let destinations = try reference.targets.map {
        try self.object($0, of: reference.destination, at: position)
      }
      if ObjectWriting.set(destinations, for: reference.relationship, of: object), fates[number] == .unchanged
      {
        fates[number] = .updated
      }
    }
  }

  private func object(
    _ target: PlannedRecord.Target,
    of destination: EntityShape,
    at position: SeedPosition
  ) throws -> NSManagedObject {
    switch target {
    case .label(let label, _): return try labels.object(label, of: destination, at: position)
    case .key(let key):
      if let object = try index.object(key, of: destination, at: position) { return object }
      throw unknownReference(key, destination, at: position)
    }
  }

  private func unknownReference(
    _ key: KeyValues,
    _ destination: EntityShape,
    at position: SeedPosition
  ) -> SeedError {
    let attribute = destination.naturalKey?.name ?? ""
    let known = index.keys(of: destination).compactMap { key -> String? in
      if case .one(.string(let text)) = key { text } else { nil }
    }
    var remedy = "correct it, or add the \(destination.name) to the seed"
    if case .one(.string(let text)) = key, let nearest = Suggestion.nearest(to: text, among: known.sorted()) {
      remedy = "was \"\(nearest)\" meant?"
    }
    return SeedError(
      .unknownReference,
      at: position,
      "there is no \(destination.name) with the \(attribute) \(key.words), neither in the seed nor in the store",
      remedy: remedy
    )
  }
}
