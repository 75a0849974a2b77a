import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
  private enum Fate {
    case created, updated, unchanged
    /// The object is as it was, whatever the record says.
    case left
    /// The record is of a seed that is in the store already.
    case standing
  }

  let context: NSManagedObjectContext
  let plan: PlannedRecords
  let account: SeedAccount
  private let seeder: Seeder
  private let progress: SeedProgress
  private let leavesOutFailures: Bool
  /// The object of each record; nil where there is none and none is to be.
  private(set) var objects: [NSManagedObject?] = []
  private var fates: [Fate] = []
  private var index: ObjectIndex
  private var labels = LabelIndex()
  private var claims = RelationshipClaims()
  private var conflicts: [SeedReport.Conflict] = []
  /// The records, by place, that have taken an object out of what they say.
  private var takenOut: [ObjectIdentifier: Int] = [:]
  private var deleted: [String: Int] = [:]
  /// The digests of the natural keys of what was deleted, by entity.
  private(set) var pruned: [String: DigestList] = [:]

  /// - Parameter leavesOutFailures: Whether to go on at a record that is wrong, to find all others that are.
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

  /// Inserts what is not there, changes what differs, then ties the objects together; deletes what is not to stay.
  mutating func write() throws {
    if seeder.mode == .replace { try delete() }
    if seeder.mode != .insert { try findPresentObjects() }
    try writeValues()
    try findReferredObjects()
    let abandoned = try abandonedObjects()
    try writeReferences()
    try prune(abandoned)
    for (place, record) in plan.records.enumerated() where objects[place] != nil {
      account.note(record, fates[place] == .created ? .made : fates[place] == .left ? .left : .written)
    }
    account.note(conflicts)
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
      try progress.noteWriting(place, of: plan.records.count * 2)
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

  /// Whether a record of a seed that is in the store makes an object all the same: one that nothing could keep from being
  /// deleted, as there is no natural key to know it by.
  private func remakes(_ record: PlannedRecord) -> Bool {
    seeder.effectivePruning == .all && record.naturalKey == nil && !record.isNested
  }

  // MARK: - References

  /// Objects of the seed can be referred to from everywhere in it; what else is referred to is looked for in the
  /// store.
  private mutating func findReferredObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      claims.announce(record)
      for reference in record.references {
        for key in reference.keys { wanted.add(key, of: reference.destination) }
      }
    }
    for destination in wanted.shapes {
      guard let key = destination.naturalKey else { continue }
      for (record, object) in zip(plan.records, objects)
      where record.shape.entity.isKindOf(entity: destination.entity) {
        guard let object, let value = record.values(for: key) else { continue }
        index.add(object, value, of: destination)
      }
    }
    try index.fetch(wanted)
  }

  private mutating func writeReferences() throws {
    var found = RecordFailures.Found()
    for (place, record) in plan.records.enumerated() {
      try progress.noteWriting(plan.records.count + place, of: plan.records.count * 2)
      guard fates[place] != .left, fates[place] != .standing, let object = objects[place] else { continue }
      try found.collecting(record.number, if: leavesOutFailures) {
        for reference in record.references { try write(reference, of: object, place) }
      }
    }
    try found.check()
  }

  private mutating func write(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    _ place: Int
  ) throws {
    let record = plan.records[place]
    let relationship = reference.relationship
    let position = record.position.with(key: relationship.name)
    var destinations = try reference.targets.compactMap {
      try self.object($0, of: reference.destination, at: position)
    }
    if let removals = reference.removals {
      let removed = removals.compactMap { known($0, of: reference.destination) }
      let present = ObjectWriting.members(relationship, of: object)
      destinations = ObjectWriting.changing(present, adding: destinations, removing: removed)
    }
    guard !ObjectWriting.isSame(destinations, for: relationship, of: object) else {
      return claim(reference, of: object, destinations, place)
    }
    if fates[place] != .created {
      var update = RecordUpdate(record, object, account)
      let takes = update.takes(destinations, for: reference)
      conflicts += update.conflicts
      guard takes else { return }
    }
    try replaceMembers(reference, of: object, by: destinations, place)
    ObjectWriting.put(destinations, for: relationship, of: object)
    claim(reference, of: object, destinations, place)
    if fates[place] == .unchanged { fates[place] = .updated }
  }

  /// Takes note of what is taken out, and throws where another record has said something else.
  private mutating func replaceMembers(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    by destinations: [NSManagedObject],
    _ place: Int
  ) throws {
    if let contradiction = claims.contradiction(
      setting: destinations,
      for: reference.relationship,
      of: object
    ) {
      throw SeedFailure.contradiction(
        plan.records[place],
        reference,
        contradiction.relationship,
        of: name(contradiction.object),
        at: contradiction.record.map { plan.records[$0].position }
      )
    }
    guard fates[place] != .created else { return }
    let kept = Set(destinations.map(ObjectIdentifier.init))
    for member in ObjectWriting.members(reference.relationship, of: object)
    where !kept.contains(ObjectIdentifier(member)) {
      takenOut[ObjectIdentifier(member)] = place
    }
  }

  private mutating func claim(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    _ members: [NSManagedObject],
    _ place: Int
  ) {
    claims.add(
      members,
      for: reference.relationship,
      of: object,
      isWhole: reference.removals == nil,
      record: place
    )
  }

  private func name(_ object: NSManagedObject) -> String {
    let key = plan.naturalKeys.key(of: object.entity)?.values(of: object)?.words
    return [object.entity.name, key].compactMap { $0 }.joined(separator: " ")
  }

  /// The object that a target means; nil for one that a user has deleted, and that stays so.
  private func object(
    _ target: PlannedRecord.Target,
    of destination: EntityShape,
    at position: SeedPosition
  ) throws -> NSManagedObject? {
    switch target {
    case .label(let label, let key):
      if let key, labels[label] == nil, account.staysDeleted(key, of: destination) { return nil }
      return try labels.object(label, of: destination, at: position)
    case .key(let key):
      if let object = try index.object(key, of: destination, at: position) { return object }
      if account.staysDeleted(key, of: destination) { return nil }
      throw unknownReference(key, destination, at: position)
    }
  }

  /// The object that a target means, if there is one.
  private func known(_ target: PlannedRecord.Target, of destination: EntityShape) -> NSManagedObject? {
    switch target {
    case .label(let label, _): labels[label]
    case .key(let key): index.knownObject(key, of: destination)
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

  // MARK: - Deletion

  /// The objects that the seeds have made and do not bring any more, found by natural keys, which may have changed when the
  /// references are written.
  private mutating func abandonedObjects() throws -> [NSManagedObject] {
    guard seeder.mode != .replace, seeder.effectivePruning == .own else { return [] }
    // What was written is to be noted first.
    pruned = account.abandoned(besides: plan.records.filter { !$0.isStanding })
    return try pruned.sorted { $0.key < $1.key }.flatMap { name, digests in
      guard let entity = plan.entities[name], let key = plan.naturalKeys.key(of: entity) else {
        return [NSManagedObject]()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesSubentities = false
      return try context.fetch(request).filter { object in
        key.values(of: object).map { digests.contains(SeedDigest.of($0)) } ?? false
      }
    }
  }

  private mutating func prune(_ abandoned: [NSManagedObject]) throws {
    if seeder.mode != .replace, seeder.effectivePruning == .all {
      let kept = Set(objects.compactMap { $0.map(ObjectIdentifier.init) })
      return try delete { kept.contains(ObjectIdentifier($0)) }
    }
    guard !abandoned.isEmpty else { return }
    for object in abandoned { context.delete(object) }
    var deletion = newDeletion
    finish(&deletion)
  }

  private var newDeletion: SeedDeletion { SeedDeletion(context, plan.naturalKeys, savesBatches: false) }

  /// Deletes the objects of the seeds' entities that are not to be kept, of those with empty lists too.
  private mutating func delete(unless isKept: (NSManagedObject) -> Bool = { _ in false }) throws {
    var entities = Dictionary(plan.records.map { ($0.shape.name, $0.shape.entity) }) { first, _ in first }
    for entity in plan.empty { entities[entity.name ?? ""] = entity }
    var deletion = newDeletion
    for (_, entity) in entities.sorted(by: { $0.key < $1.key }) {
      try deletion.delete(entity, unless: isKept)
    }
    finish(&deletion)
    pruned = deletion.digests.mapValues { DigestList($0) }
  }

  private mutating func finish(_ deletion: inout SeedDeletion) {
    deletion.count()
    deleted = deletion.counts
  }

  // MARK: - Outcome

  /// What to throw for an error of writing, or of saving what was written: the records that are wrong, where they are to
  /// be left out and nothing else is, or a `SeedError`.
  func failure(_ error: any Error) -> any Error {
    if error is RecordFailures.Found { return error }
    if leavesOutFailures {
      let found = SeedFailure.records(error) { object in
        record(of: object).map { ($0.number, $0.position) }
      }
      if let found { return found }
    }
    return SeedFailure.described(error) { object in
      record(of: object).map { .record($0.position) }
        ?? takenOut[ObjectIdentifier(object)].map { .takenOut(plan.records[$0].position) }
    }
  }

  private func record(of object: NSManagedObject) -> PlannedRecord? {
    objects.firstIndex { $0 === object }.map { plan.records[$0] }
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
      case .standing: break
      }
    }
    for (name, count) in deleted where count > 0 { counts[name, default: .init()].deleted += count }
    for conflict in conflicts { counts[conflict.entity, default: .init()].conflicts += 1 }
    return counts
  }
}
