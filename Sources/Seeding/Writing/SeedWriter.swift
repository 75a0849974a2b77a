import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
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
  var outcomes: [RecordOutcome] = []
  var index: ObjectIndex
  var labels = LabelIndex()
  var claims = RelationshipClaims()
  var links = SharedLinks()
  /// The links that seeds state which the store has already.
  var linksOfUnchangedSeeds = SharedLinks()
  let contents: SeedContents
  /// The objects that records without a natural key are about, by the places of these.
  var matches: [Int: NSManagedObject] = [:]
  /// The positions of skipped records: their outer records are skipped, or a user has deleted their owners.
  var skipped: Set<Int> = []
  /// Whether references are written that lead to records without a natural key, by the places of the
  /// records and of the references in them.
  var decisions: [Int: [Int: Bool]] = [:]
  /// The objects that the records of the run are about.
  var objectsOfRun: Set<ObjectIdentifier> = []
  var owned = OwnedObjects()
  /// The resolved conflicts about deletions, by object: true if the object is deleted. The dictionary retains the
  /// objects, because a new object could otherwise get the address of a released one.
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
  ///   - leavesOutFailures: True to continue after a record with an error, in order to find all of them.
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
    outcomes.reserveCapacity(plan.records.count)
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
    // The closure would copy the writer for each record.
    let (objects, steps, contents) = (objects, steps, contents)
    var stated = StatedProperties.Cache()
    for (place, record) in plan.records.enumerated() {
      func said(_ number: Int) -> UInt64? {
        guard let object = objects[place], steps[place].indices.contains(number) else { return nil }
        let (reference, step) = (record.references[number], steps[place][number])
        guard step.isApplied, reference.removals == nil, contents.hasKeyless(reference) else { return step.said }
        // Objects may have other members than their records.
        return contents.present(ObjectWriting.members(reference.relationship, of: object), reference: reference)
      }
      ledger.record(
        record,
        outcome: outcomes[place],
        statement: LedgerStatement(of: record, properties: stated.properties(of: record), said)
      )
    }
    ledger.record(conflicts)
  }

  // MARK: - Values

  private mutating func findPresentObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      wanted.add(record, isCompared: seeder.mode != .createOnly && !record.isUnchangedSeed)
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
      if let label = record.label, objects.count > place { labels.add(objects[place], label: label, of: record) }
    }
    try found.check()
  }

  private mutating func writeValues(of record: PlannedRecord, at place: Int) throws {
    let object = try matches[place] ?? presentObject(of: record)
    switch decision(on: place, hasObject: object != nil) {
    case .stand: add(object, outcome: .standing)
    case .leave: add(object, outcome: .left)
    case .create:
      let object = ObjectWriting.create(record, in: context)
      add(object, outcome: .created)
      // A nested record may describe the object again.
      if let key = record.naturalKey { index.add(object, key: key, of: record.shape) }
    case .update:
      guard let object else { return }
      var update = RecordUpdate(record: record, object: object, ledger: ledger, contents: contents)
      add(object, outcome: update.setValues() ? .updated : .unchanged)
      conflicts += update.conflicts
    }
  }

  /// Decides on the record at a place.
  func decision(on place: Int, hasObject: Bool) -> RecordDecision {
    ledger.decision(on: plan.records[place], hasObject: hasObject, isLeftOut: skipped.contains(place))
  }

  private mutating func add(_ object: NSManagedObject?, outcome: RecordOutcome) {
    objects.append(object)
    outcomes.append(outcome)
  }

  private func presentObject(of record: PlannedRecord) throws -> NSManagedObject? {
    try record.naturalKey.flatMap { try index.object($0, of: record.shape, at: record.position) }
  }

  // MARK: - Outcome

  /// Translates an error of writing or saving: to the records with errors if they are to be left
  /// out and nothing else failed, otherwise to a `SeedError`.
  func failure(_ error: any Error) -> any Error {
    SeedFailure.ofWriting(
      error,
      in: context,
      among: objects.compactMap { $0 },
      leavesOut: leavesOutFailures,
      record: { object in record(of: object).map { ($0.number, $0.position) } },
      remover: { object in removers[object].map { plan.records[$0].position } }
    )
  }

  private func record(of object: NSManagedObject) -> PlannedRecord? {
    objects.firstIndex { $0 === object }.map { plan.records[$0] }
  }

  /// The numbers of records by their outcomes, by the name of their entity.
  var counts: [String: SeedReport.Counts] {
    var counts: [String: SeedReport.Counts] = [:]
    for (record, outcome) in zip(plan.records, outcomes) { counts.count(outcome, of: record.shape.name) }
    counts.count(deleted: deleted)
    counts.count(conflicts)
    return counts
  }
}
