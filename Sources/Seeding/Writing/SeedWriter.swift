import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
  enum Fate {
    case created, updated, unchanged
    /// The object is as it was, whatever the record says.
    case left
    /// The record is of a seed that is in the store already.
    case standing
  }

  let context: NSManagedObjectContext
  let plan: PlannedRecords
  let account: SeedAccount
  let seeder: Seeder
  let progress: SeedProgress
  let leavesOutFailures: Bool
  /// The object of each record; nil where there is none and none is to be.
  private(set) var objects: [NSManagedObject?] = []
  var fates: [Fate] = []
  var index: ObjectIndex
  var labels = LabelIndex()
  var claims = RelationshipClaims()
  var conflicts: [SeedReport.Conflict] = []
  /// The records, by place, that have taken an object out of what they say.
  var removers: [ObjectIdentifier: Int] = [:]
  var deleted: [String: Int] = [:]
  /// The digests of the natural keys of what was deleted, by entity.
  var pruned: [String: DigestList] = [:]

  /// - Parameter leavesOutFailures: True when writing goes on at a record that is wrong, to find
  ///   all others that are.
  init(
    _ plan: PlannedRecords,
    _ seeder: Seeder,
    _ account: SeedAccount,
    _ progress: SeedProgress,
    in context: NSManagedObjectContext,
    leavesOutFailures: Bool = false
  ) {
    self.plan = plan
    self.seeder = seeder
    self.account = account
    self.progress = progress
    self.leavesOutFailures = leavesOutFailures
    self.context = context
    index = ObjectIndex(context)
    objects.reserveCapacity(plan.records.count)
    fates.reserveCapacity(plan.records.count)
  }

  /// Inserts what is not there, changes what differs, then ties the objects together; deletes what
  /// is not to stay.
  mutating func write() throws {
    if seeder.mode == .replace {
      try delete()
      account.replaced = pruned
    }
    if seeder.mode != .insert { try findPresentObjects() }
    try writeValues()
    try findReferredObjects()
    let abandoned = try abandonedObjects()
    try writeReferences()
    try prune(abandoned)
    for (place, record) in plan.records.enumerated() {
      account.record(record, fates[place] == .created ? .created : fates[place] == .left ? .left : .written)
    }
    account.record(conflicts)
  }

  // MARK: - Values

  private mutating func findPresentObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      if let key = record.naturalKey { wanted.add(key, of: record.shape) }
    }
    try index.fetch(wanted)
  }

  private mutating func writeValues() throws {
    var found = RecordFailures.Found()
    for (place, record) in plan.records.enumerated() {
      try progress.reportWriting(place, of: plan.records.count * 2)
      try found.collecting(record.number, if: leavesOutFailures) { try writeValues(of: record) }
      if let label = record.label, objects.count > place { labels.add(objects[place], label, of: record) }
    }
    try found.check()
  }

  private mutating func writeValues(of record: PlannedRecord) throws {
    guard let object = try presentObject(of: record) else {
      let isMissing = record.isStanding && !remakes(record)
      guard !isMissing, seeder.mode == .insert || !account.staysDeleted(record) else {
        return add(nil, record.isStanding ? .standing : .left)
      }
      let object = ObjectWriting.create(record, in: context)
      add(object, .created)
      // A record within another may name it once more.
      if let key = record.naturalKey { index.add(object, key, of: record.shape) }
      return
    }
    if record.isStanding { return add(object, .standing) }
    if seeder.mode == .createOnly { return add(object, .left) }
    var update = RecordUpdate(record, object, account)
    add(object, update.setValues() ? .updated : .unchanged)
    conflicts += update.conflicts
  }

  private mutating func add(_ object: NSManagedObject?, _ fate: Fate) {
    objects.append(object)
    fates.append(fate)
  }

  private func presentObject(of record: PlannedRecord) throws -> NSManagedObject? {
    guard seeder.mode != .insert || record.isStanding, let key = record.naturalKey else { return nil }
    return try index.object(key, of: record.shape, at: record.position)
  }

  /// Returns true when a record of a seed that is in the store makes an object all the same: one
  /// that nothing could keep from being deleted, as there is no natural key to know it by.
  private func remakes(_ record: PlannedRecord) -> Bool {
    seeder.effectivePruning == .all && record.naturalKey == nil && !record.isNested
  }

  // MARK: - Outcome

  /// The error to throw for an error of writing, or of saving what was written: the records that
  /// are wrong, where they are to be left out and nothing else is, or a `SeedError`.
  func failure(_ error: any Error) -> any Error {
    if error is RecordFailures.Found { return error }
    if leavesOutFailures {
      let found = SeedFailure.records(error, in: context, among: written) { object in
        record(of: object).map { ($0.number, $0.position) }
      }
      if let found { return found }
    }
    return SeedFailure.described(error, in: context, among: written) { object in
      record(of: object).map { .record($0.position) }
        ?? removers[ObjectIdentifier(object)].map { .removal(plan.records[$0].position) }
    }
  }

  /// The objects of the records.
  private var written: [NSManagedObject] { objects.compactMap { $0 } }

  private func record(of object: NSManagedObject) -> PlannedRecord? {
    objects.firstIndex { $0 === object }.map { plan.records[$0] }
  }

  /// The numbers of records by what became of them, by the name of their entity.
  var counts: [String: SeedReport.Counts] {
    var counts: [String: SeedReport.Counts] = [:]
    for (record, fate) in zip(plan.records, fates) {
      switch fate {
      case .created: counts[record.shape.name, default: .init()].created += 1
      case .updated: counts[record.shape.name, default: .init()].updated += 1
      case .unchanged: counts[record.shape.name, default: .init()].unchanged += 1
      case .left: counts[record.shape.name, default: .init()].skipped += 1
      case .standing: break
      }
    }
    for (name, count) in deleted where count > 0 { counts[name, default: .init()].deleted += count }
    for conflict in conflicts { counts[conflict.entity, default: .init()].conflicts += 1 }
    return counts
  }
}
