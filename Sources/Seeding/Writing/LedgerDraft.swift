import CoreData

/// The entries of the store's ledger about the objects of a run's seeds, and the entries that the run is to write:
/// which objects a seed has created, and which ones a user has deleted or changed. Used by one thread at a time.
final class LedgerDraft {
  /// The draft keeps at most this number of conflicts, and counts all of them.
  private static let mostConflicts = 100

  let seeder: Seeder
  private let seeds: [LoadedSeed]
  /// The objects that the ledger has of each seed, by the seed's number.
  private let before: [SeedObjects]
  /// The objects that it has of seeds that are not of the run, and of those that are in the store already.
  private let others: [SeedObjects]
  /// The objects of each seed of the run, followed by those of all other seeds.
  let known: [SeedObjects]

  /// The objects that the run itself has deleted to make all anew, by entity.
  var replaced: [String: DigestList] = [:]

  /// The objects that the run does not create, because users have deleted their owners.
  private var leftOut: [String: Set<UInt64>] = [:]

  /// What the run has recorded about the objects of a seed and an entity.
  private struct Entries {
    /// The properties of the natural key; empty before the first record.
    var keyNames: [String] = []
    /// The objects that the run has created.
    var created: [UInt64] = []
    /// The objects that existed.
    var present: [UInt64] = []
    /// The values of the objects, and those that earlier runs have recorded.
    var values = SeedBaselineDraft()

    mutating func add(
      _ record: PlannedRecord,
      digest: UInt64,
      outcome: RecordOutcome,
      statement: () -> LedgerStatement?
    ) {
      if keyNames.isEmpty { keyNames = record.shape.naturalKey?.names ?? [] }
      if outcome == .created { created.append(digest) } else { present.append(digest) }
      guard outcome != .left, let statement = statement() else { return }
      guard outcome != .created, !record.createOnly.isEmpty else { return values.add(statement, ofObject: digest) }
      values.add(statement, ofObject: digest) { place in
        outcome.states(record.property(ofStatement: place).name, of: record)
      }
    }
  }

  /// By the number of the seed and by entity.
  private var entries: [[String: Entries]]
  private(set) var conflicts: [SeedReport.Conflict] = []

  /// - Parameter seeds: All that are read, in the order of their numbers.
  init(seeder: Seeder, seeds: [LoadedSeed], ledger: SeedLedger, model: NSManagedObjectModel) {
    self.seeder = seeder
    self.seeds = seeds
    before = seeds.map { seed in
      ledger.lastVersion(of: seed).map { ledger.objects(of: $0, in: model) } ?? SeedObjects()
    }
    let pending = seeds.filter { !$0.isUnchangedSeed }
    others = ledger.lastEntries.filter { entry in
      !pending.contains { $0.name == entry.name && $0.address == entry.address }
    }
    // Only a merge compares the values that other seeds have stated.
    .map { ledger.objects(of: $0, in: model, hasValues: seeder.mode == .merge) }
    known = before + others
    entries = before.map { $0.values.mapValues { Entries(values: SeedBaselineDraft($0)) } }
  }

  // MARK: - Records

  /// Returns true if a user has deleted the object of a record, and it is to stay deleted. Any seed
  /// may have created the object, because records move between seeds.
  func staysDeleted(_ record: PlannedRecord) -> Bool {
    guard !seeder.restoresDeletedObjects, let digest = record.keyDigest else { return false }
    return isDeleted(digest, of: record.shape.name)
  }

  /// The same of an object that a record refers to, and that is neither in the seeds nor in the store.
  func staysDeleted(_ key: KeyValues, of shape: EntityShape) -> Bool {
    guard !seeder.restoresDeletedObjects else { return false }
    let digest = SeedDigest.of(key)
    return shape.entity.withSubentities.compactMap(\.name).contains { entity in
      isDeleted(digest, of: entity) || leftOut[entity]?.contains(digest) == true
    }
  }

  /// Returns true if a record without an existing object does not create one, because a user has deleted its owner.
  /// - Parameter isThere: Tells whether the store or the run has an object of a key.
  func lacksOwner(_ record: PlannedRecord, unless isThere: (KeyValues, EntityShape) throws -> Bool) rethrows -> Bool {
    guard !seeder.restoresDeletedObjects else { return false }
    return try record.references.contains { reference in
      guard reference.isToOwner, let key = reference.targets.first?.naturalKey,
        try !isThere(key, reference.destination)
      else { return false }
      return staysDeleted(key, of: reference.destination)
    }
  }

  /// Records that a record does not create an object, for the records that refer to it.
  func leaveOut(_ record: PlannedRecord) {
    guard let digest = record.keyDigest else { return }
    leftOut[record.shape.name, default: []].insert(digest)
  }

  /// Returns true when an object that is not in the store is one that a seed has made and a user has deleted.
  private func isDeleted(_ digest: UInt64, of entity: String) -> Bool {
    replaced[entity]?.contains(digest) != true && isCreated(digest, of: entity)
  }

  /// Returns true when a seed has created the object.
  func isCreated(_ digest: UInt64, of entity: String) -> Bool {
    before.contains { $0.hasCreated(digest, of: entity) }
      || others.contains { $0.hasCreated(digest, of: entity) }
  }

  /// Records the outcome of a record.
  /// - Parameter statement: What it states; nil if the ledger does not get it.
  func record(_ record: PlannedRecord, outcome: RecordOutcome, statement: @autoclosure () -> LedgerStatement?) {
    guard record.isInLedger, let digest = record.keyDigest else { return }
    entries[record.seed][record.shape.name, default: Entries()].add(
      record,
      digest: digest,
      outcome: outcome,
      statement: statement
    )
  }

  // MARK: - Values

  /// The digests that seeds have recorded for a property of an object: that of the record's own seed if it has one, and
  /// otherwise those of all other seeds. An object changes its seed if a file was renamed or if its record has moved.
  private func said(_ property: String, of record: PlannedRecord, on object: NSManagedObject) -> [UInt64] {
    guard let digest = record.keyDigest else { return [] }
    let formerDigests = formerDigests(of: record, on: object)
    let entity = record.shape.name
    func said(_ objects: SeedObjects, number: Int) -> UInt64? {
      objects.values[entity]?.digest(of: property, ofObject: formerDigests[number] ?? digest)
    }
    if let own = said(before[record.seed], number: record.seed) { return [own] }
    return known.enumerated().compactMap { said($1, number: $0) }
  }

  /// The digests of an object's key for the seeds that declared another natural key.
  private func formerDigests(of record: PlannedRecord, on object: NSManagedObject) -> [Int: UInt64] {
    if let known = record.formerDigests { return known }
    var digests: [Int: UInt64] = [:]
    for (number, objects) in known.enumerated() {
      guard let names = objects.keyNames[record.shape.name], names != record.shape.naturalKey?.names,
        let key = NaturalKeys(declared: [record.shape.name: names]).key(of: record.shape.entity)
      else { continue }
      digests[number] = key.values(of: object).map(SeedDigest.of)
    }
    record.formerDigests = digests
    return digests
  }

  /// Returns true if a merge compares a record with the values that seeds have recorded.
  private func merges(_ record: PlannedRecord) -> Bool { seeder.mode == .merge && record.naturalKey != nil }

  /// Decides whether the additions and removals of a reference are applied to an existing object.
  /// - Parameter digest: of the additions and removals; nil if they do not have one.
  func decide(
    change reference: PlannedRecord.Reference,
    of record: PlannedRecord,
    on object: NSManagedObject,
    digest: () -> UInt64?
  ) -> ValueDecision {
    .decideChange(
      isCreateOnly: record.createOnly.contains(reference.relationship.name),
      isMerged: merges(record),
      said: said(reference.ledgerName, of: record, on: object),
      new: digest
    )
  }

  /// Decides which value an existing object gets if its record's value of a property differs from its own.
  /// - Parameters:
  ///   - digest: of the seed's value; nil if it does not have one.
  ///   - present: of the object's value; nil if it does not have one.
  ///   - isUntouched: True if the object has the value of a new object.
  ///   - words: gives the values of the object and of the seed, for a conflict.
  /// - Returns: The decision, and the conflict if it is one.
  func decide(
    _ property: NSPropertyDescription,
    of record: PlannedRecord,
    on object: NSManagedObject,
    _ digest: @autoclosure () -> UInt64?,
    over present: @autoclosure () -> UInt64?,
    isUntouched: @autoclosure () -> Bool,
    words: () -> (present: String, new: String)
  ) -> (decision: ValueDecision, conflict: SeedReport.Conflict?) {
    let decision = ValueDecision.decide(
      isCreateOnly: record.createOnly.contains(property.name),
      isMerged: merges(record),
      said: said(property.name, of: record, on: object),
      new: digest,
      present: present,
      isUntouched: isUntouched,
      policy: seeder.conflictPolicy
    )
    guard case .conflict(let isSeedTaken) = decision else { return (decision, nil) }
    let (present, new) = words()
    let conflict = SeedReport.Conflict(
      position: record.position.with(key: property.name),
      entity: record.shape.name,
      name: record.naturalKey?.words ?? "",
      key: property.name,
      present: present,
      new: new,
      isSeedTaken: isSeedTaken,
      isDeletion: false
    )
    return (decision, conflict)
  }

  /// Records the resolved conflicts of a save.
  func record(_ conflicts: [SeedReport.Conflict]) {
    self.conflicts += conflicts.prefix(max(0, Self.mostConflicts - self.conflicts.count))
  }

  // MARK: - Afterwards

  /// The names of the entities whose objects the seeds have contained before.
  var entitiesBrought: [String] {
    before.reduce(into: Set<String>()) { names, objects in
      for lists in [objects.created, objects.left, objects.shared] { names.formUnion(lists.keys) }
    }.sorted()
  }

  /// The file of a seed of the run that has contained an object before.
  func file(bringing digest: UInt64, of entity: String) -> String {
    let number = seeds.indices.first { number in
      !seeds[number].isUnchangedSeed
        && (before[number].brings(digest, of: entity) || before[number].hasCreated(digest, of: entity))
    }
    return number.map { seeds[$0].file } ?? seeds.first?.file ?? ""
  }

  /// The objects of the run's seeds that these seeds do not contain any more, and that no other
  /// seed contains, by entity.
  /// - Parameter records: Records whose outcomes are not recorded yet.
  func abandoned(besides records: [PlannedRecord] = []) -> [String: DigestList] {
    var broughtNow: [String: [UInt64]] = [:]
    for (entity, entries) in entries.joined() {
      broughtNow[entity, default: []] += entries.created
      broughtNow[entity, default: []] += entries.present
    }
    for record in records {
      guard let digest = record.keyDigest else { continue }
      broughtNow[record.shape.name, default: []].append(digest)
    }
    let brought = broughtNow.mapValues { DigestList($0) }
    var abandoned: [String: DigestList] = [:]
    for (number, seed) in seeds.enumerated() where !seed.isUnchangedSeed {
      let before = before[number]
      for (entity, list) in Array(before.created) + Array(before.left) + Array(before.shared) {
        let absent = list.digests.filter { digest in
          brought[entity]?.contains(digest) != true && isCreated(digest, of: entity)
            && !others.contains { $0.brings(digest, of: entity) }
        }
        abandoned[entity, default: DigestList()].add(DigestList(absent))
      }
    }
    return abandoned.filter { !$0.value.isEmpty }
  }

  /// The objects that a seed has contained so far.
  /// - Parameter pruned: The objects that are not in the store any more, by entity.
  func objects(ofSeed number: Int, without pruned: [String: DigestList]) -> SeedObjects {
    var objects = SeedObjects()
    var before = before[number]
    before.forgetCreated(pruned)
    let entries = entries[number]
    let entities = Set(before.created.keys).union(before.left.keys).union(entries.keys)
    for entity in entities {
      let createdNow = DigestList(entries[entity]?.created ?? [])
      var brought = createdNow
      brought.add(DigestList(entries[entity]?.present ?? []))
      var created = before.created[entity] ?? DigestList()
      created.add(before.left[entity] ?? DigestList())
      objects.left[entity] = created
      objects.left[entity]?.remove(brought)
      created.formIntersection(brought)
      created.add(createdNow)
      objects.created[entity] = created
      brought.remove(created)
      objects.shared[entity] = brought
    }
    objects.keyNames = before.keyNames
    for (entity, entries) in entries {
      if !entries.keyNames.isEmpty { objects.keyNames[entity] = entries.keyNames }
      // Without earlier values, all values are those of the run's own records.
      guard before.values[entity] != nil else {
        objects.values[entity] = entries.values.baseline()
        continue
      }
      var known = objects.created[entity] ?? DigestList()
      for lists in [objects.shared, objects.left] { known.add(lists[entity] ?? DigestList()) }
      objects.values[entity] = entries.values.baseline(of: known)
    }
    return objects
  }
}

extension NSEntityDescription {
  /// The entity and all that inherit from it.
  var withSubentities: [NSEntityDescription] { [self] + subentities.flatMap(\.withSubentities) }
}
