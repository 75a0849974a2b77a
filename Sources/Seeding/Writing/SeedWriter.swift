import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
  enum Fate {
    case created, updated, unchanged
    /// The object is unchanged, whatever the record has.
    case left
    /// The record is of a seed that is in the store already.
    case standing
  }

  let context: NSManagedObjectContext
  let plan: PlannedRecords
  let ledger: LedgerDraft
  let seeder: Seeder
  let progress: SeedProgress
  let leavesOutFailures: Bool
  /// True when seeds of the run that the store has already are not read.
  let leavesOutUnchanged: Bool
  /// The object of each record; nil if it does not exist and is not created.
  private(set) var objects: [NSManagedObject?] = []
  var fates: [Fate] = []
  var index: ObjectIndex
  var labels = LabelIndex()
  var claims = RelationshipClaims()
  var links = SharedLinks()
  /// The links that seeds state which the store has already.
  var linksOfUnchangedSeeds = SharedLinks()
  let contents: SeedContents
  /// The objects that records without a natural key are about, by the places of these.
  var matches: [Int: NSManagedObject] = [:]
  /// The positions of skipped records: their outer records are skipped, or a user has deleted their
  /// owners.
  var skipped: Set<Int> = []
  /// Whether references are written that lead to records without a natural key, by the places of the
  /// records and of the references in them.
  var decisions: [Int: [Int: Bool]] = [:]
  /// The objects that the records of the run are about.
  var objectsOfRun: Set<ObjectIdentifier> = []
  var owned = OwnedObjects()
  /// The resolved conflicts about deletions, by object: true if the object is deleted. The
  /// dictionary retains the objects, because a new object could otherwise get the address of a
  /// released one.
  var deletions: [NSManagedObject: Bool] = [:]
  /// The objects that the seeds do not contain any more and that are deleted.
  var abandoned: [NSManagedObject] = []
  var abandonedObjects: Set<ObjectIdentifier> = []
  /// The entities whose objects are deleted if no record describes them.
  var prunedEntities: Set<String> = []
  /// The objects that records of the run refer to.
  var referred: Set<ObjectIdentifier> = []
  /// The plans for each record's references, by the position of the record.
  var steps: [[ReferenceStep]] = []
  var conflicts: [SeedReport.Conflict] = []
  /// The records, by position, that have removed an object from a relationship.
  var removers: [NSManagedObject: Int] = [:]
  var deleted: [String: Int] = [:]
  /// The digests of the natural keys of deleted objects, by entity.
  var pruned: [String: DigestList] = [:]

  /// - Parameters:
  ///   - leavesOutFailures: True to continue after a record with an error, in order to find all of
  ///     them.
  ///   - leavesOutUnchanged: True when seeds of the run that the store has already are not read.
  init(
    plan: PlannedRecords,
    seeder: Seeder,
    ledger: LedgerDraft,
    progress: SeedProgress,
    in context: NSManagedObjectContext,
    leavesOutFailures: Bool,
    leavesOutUnchanged: Bool
  ) {
    self.plan = plan
    self.seeder = seeder
    self.ledger = ledger
    self.progress = progress
    self.leavesOutFailures = leavesOutFailures
    self.leavesOutUnchanged = leavesOutUnchanged
    self.context = context
    index = ObjectIndex(context)
    contents = SeedContents(plan.records)
    objects.reserveCapacity(plan.records.count)
    fates.reserveCapacity(plan.records.count)
  }

  /// Inserts missing objects, updates the differences, links the objects, and then deletes.
  mutating func write() throws {
    if seeder.mode == .replace {
      try delete()
      ledger.replaced = pruned
    }
    try findPresentObjects()
    try findLeftOut()
    findWithinLeft()
    try matchChildren()
    try writeValues()
    try findReferredObjects()
    abandoned = try findAbandonedObjects()
    abandonedObjects = Set(abandoned.map(ObjectIdentifier.init))
    if seeder.effectivePruning == .all { prunedEntities = Set(entities.keys) }
    try planReferences()
    try writeReferences()
    try prune()
    recordOutcome()
  }

  private func recordOutcome() {
    for (place, record) in plan.records.enumerated() {
      let deed: LedgerDraft.Deed =
        switch fates[place] {
        case .created: .created
        case .left: .left
        case .updated, .unchanged, .standing: .written
        }
      ledger.record(record, deed: deed) { number in
        guard let object = objects[place], steps[place].indices.contains(number) else { return nil }
        let (reference, step) = (record.references[number], steps[place][number])
        guard step.isApplied, reference.removals == nil, contents.hasKeyless(reference) else {
          return step.said
        }
        // Objects may have other members than their records.
        return contents.present(
          ObjectWriting.members(reference.relationship, of: object),
          reference: reference
        )
      }
    }
    ledger.record(conflicts)
  }

  // MARK: - Values

  private mutating func findPresentObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      if let key = record.naturalKey { wanted.add(key, of: record.shape) }
    }
    try index.fetch(wanted)
  }

  /// Finds the records that do not create an object, because a user has deleted their owners.
  private mutating func findLeftOut() throws {
    guard !seeder.restoresDeletedObjects else { return }
    var wanted = ObjectIndex.Wanted()
    for reference in plan.records.lazy.flatMap(\.references) where reference.isToOwner {
      for key in reference.keys { wanted.add(key, of: reference.destination) }
    }
    try index.fetch(wanted)
    var isAnyFound = true
    while isAnyFound {
      isAnyFound = false
      for (place, record) in plan.records.enumerated()
      where !record.isUnchangedSeed && !skipped.contains(place)
        && !index.hasObject(record.naturalKey, of: record.shape)
      {
        guard ledger.lacksOwner(record, unless: { index.hasObject($0, of: $1) }) else { continue }
        skipped.insert(place)
        ledger.leaveOut(record)
        isAnyFound = true
      }
    }
  }

  private mutating func writeValues() throws {
    var found = RecordFailures.Found()
    for (place, record) in plan.records.enumerated() {
      try progress.reportWriting(place, of: plan.records.count * 2)
      try found.collecting(record.number, if: leavesOutFailures) { try writeValues(of: record, at: place) }
      if let label = record.label, objects.count > place {
        labels.add(objects[place], label: label, of: record)
      }
    }
    try found.check()
  }

  private mutating func writeValues(of record: PlannedRecord, at place: Int) throws {
    guard let object = try matches[place] ?? presentObject(of: record) else {
      let isMissing = record.isUnchangedSeed && !remakes(record)
      guard !isMissing, !skipped.contains(place), !ledger.staysDeleted(record) else {
        return add(nil, fate: record.isUnchangedSeed ? .standing : .left)
      }
      let object = ObjectWriting.create(record, in: context)
      add(object, fate: .created)
      // A nested record may describe the object again.
      if let key = record.naturalKey { index.add(object, key: key, of: record.shape) }
      return
    }
    if record.isUnchangedSeed { return add(object, fate: .standing) }
    if seeder.mode == .createOnly || skipped.contains(place) { return add(object, fate: .left) }
    var update = RecordUpdate(record: record, object: object, ledger: ledger, contents)
    add(object, fate: update.setValues() ? .updated : .unchanged)
    conflicts += update.conflicts
  }

  private mutating func add(_ object: NSManagedObject?, fate: Fate) {
    objects.append(object)
    fates.append(fate)
  }

  private func presentObject(of record: PlannedRecord) throws -> NSManagedObject? {
    try record.naturalKey.flatMap { try index.object($0, of: record.shape, at: record.position) }
  }

  /// Returns true if a record of an unchanged seed creates its object anyway: without a natural
  /// key, nothing could protect the old object from being deleted.
  private func remakes(_ record: PlannedRecord) -> Bool {
    seeder.effectivePruning == .all && record.naturalKey == nil && !record.isNested
  }

  // MARK: - Outcome

  /// Translates an error of writing or saving: to the records with errors if they are to be left
  /// out and nothing else failed, otherwise to a `SeedError`.
  func failure(_ error: any Error) -> any Error {
    if error is SeedRestart { return error }
    if leavesOutFailures {
      let found = SeedFailure.records(error, in: context, among: written) { object in
        record(of: object).map { ($0.number, $0.position) }
      }
      if let found { return SeedRestart.without(found) }
    }
    return SeedFailure.described(error, in: context, among: written) { object in
      record(of: object).map { .record($0.position) }
        ?? removers[object].map { .removal(plan.records[$0].position) }
    }
  }

  /// The objects of the records.
  private var written: [NSManagedObject] { objects.compactMap { $0 } }

  private func record(of object: NSManagedObject) -> PlannedRecord? {
    objects.firstIndex { $0 === object }.map { plan.records[$0] }
  }

  /// The numbers of records by their outcomes, by the name of their entity.
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
