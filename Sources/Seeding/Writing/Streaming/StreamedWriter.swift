#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Writes chunks of records in the context of a transaction, on that context's queue, and saves after each.
  final class StreamedWriter {
    let context: NSManagedObjectContext
    let seeder: Seeder
    let ledger: LedgerDraft
    private let failures: RecordFailures?
    var indexes: KeyIndexes
    private var graph = ReferenceGraph()
    var objects: StreamedObjects
    var claims = RelationshipClaims()
    private var links = SharedLinks()
    /// True when seeds of the run that the store has already are not read.
    var leavesOutUnchanged = false
    let contents = SeedContents()
    var owned = OwnedObjects()
    /// The objects that records of the run are about or refer to, by the number of their entity,
    /// where any may be deleted.
    private var named: [Int: PrimaryKeys] = [:]
    private let mayDelete: Bool

    /// The digests of the natural keys of deleted objects, by entity.
    var pruned: [String: DigestList] = [:]
    private var tally = StreamedTally()
    /// Records that turned out to be wrong.
    private(set) var leftOut: [StreamedItem] = []
    /// The objects of late records without a natural key.
    private var lateKeyless: [Int: KeyEntry] = [:]
    /// The objects that the run has made without a natural key, by entity, where absent ones are to be deleted.
    private(set) var createdKeyless: [String: Set<Int64>] = [:]

    init(
      context: NSManagedObjectContext,
      store: NSPersistentStore,
      model: NSManagedObjectModel,
      seeder: Seeder,
      ledger: LedgerDraft,
      failures: RecordFailures?
    ) {
      self.failures = failures
      self.context = context
      objects = StreamedObjects(context: context, store: store, mostDestinations: seeder.mostDestinationsAtHand)
      self.seeder = seeder
      self.ledger = ledger
      mayDelete =
        seeder.effectivePruning != .none
        || model.entities.contains { entity in
          entity.relationshipsByName.values.contains { $0.deleteRule == .cascadeDeleteRule }
        }
      indexes = KeyIndexes(context: context, model: model)
    }

    var counts: [String: SeedReport.Counts] { tally.counts }
    var parked: RecordMarks { tally.parked }
    var late: RecordMarks { tally.late }

    /// Headers of the run may declare natural keys while they are read.
    func use(_ naturalKeys: NaturalKeys) { indexes.use(naturalKeys) }

    /// Returns true when this run has met an object's natural key.
    func hasSeen(_ key: KeyValues, of shape: EntityShape) throws -> Bool {
      try indexes.entry(KeyHash(key), of: shape)?.isSeen ?? false
    }

    /// Returns true when a record of the run is about an object, or refers to it.
    func isNamed(_ object: NSManagedObject) -> Bool {
      guard let key = NSManagedObjectID.primaryKey(of: object) else { return false }
      return named[indexes.number(of: object.entity)]?.contains(key) ?? false
    }

    private func name(_ entry: KeyEntry) {
      guard mayDelete else { return }
      named[entry.entity, default: PrimaryKeys()].insert(entry.primaryKey)
    }

    func count(_ deletion: SeedDeletion) { tally.counts.count(deleted: deletion.counts) }

    // MARK: - Chunks

    /// Writes a chunk of records. Those that are wrong are left out, or end the run.
    func write(_ records: [StreamedItem], table stage: StreamedStage) throws {
      // A late record is in the store already: leaving it out takes another attempt at the run.
      guard let failures, stage != .lateReferences else { return try writeChunk(records, stage: stage) }
      var records = records
      while true {
        let before = tally
        do {
          return try writeChunk(records, stage: stage)
        } catch SeedRestart.without(let found) {
          tally = before
          reset()
          try failures.add(found)
          for (number, _) in found.errors { tally.parked.remove(number) }
          leftOut += records.filter { failures.contains($0.number) }
          records.removeAll { failures.contains($0.number) }
        }
      }
    }

    /// Discards the unsaved changes of a chunk.
    private func reset() {
      context.reset()
      objects.forgetDestinations()
      claims.forgetRecords()
    }

    private func writeChunk(_ records: [StreamedItem], stage: StreamedStage) throws {
      var chunk = try resolve(records, stage: stage)
      try writeObjects(&chunk, stage: stage)
      for item in chunk.left where item.record.isUnchangedSeed && links.recordRelationships(of: item.record) {
        throw SeedRestart.asWhole
      }
      for item in chunk.items {
        claims.recordRelationships(of: item.record)
        // Only all records together show the statements of both sides of a relationship.
        if links.recordRelationships(of: item.record) { throw SeedRestart.asWhole }
      }
      try writeReferences(&chunk)
      try save(chunk)
      if stage != .lateReferences { try registerKeys(chunk) }
      try recordClaims(chunk)
      count(chunk.conflicts)
      for item in chunk.left { try leave(item) }
      untie()
      objects.forgetDestinationsIfMany()
    }

    /// Finds out which records of a chunk can be written, and parks those that have to wait.
    private func resolve(_ records: [StreamedItem], stage: StreamedStage) throws -> StreamedChunk {
      var resolution = StreamedResolution(
        items: records,
        stage: stage,
        ledger: ledger,
        leavesOutFailures: failures != nil
      )
      try resolution.resolve(&indexes, graph: &graph)
      var chunk = StreamedChunk()
      chunk.items.reserveCapacity(records.count)
      chunk.places = [Int](repeating: -1, count: records.count)
      for (place, item) in resolution.items.enumerated() {
        if stage == .lateReferences, item.hash == nil { item.present = lateKeyless[item.number] }
        if item.isParked {
          tally.parked.insert(item.number)
        } else if resolution.leavesAsIs(item) {
          chunk.left.append(item)
        } else {
          chunk.places[place] = chunk.items.count
          chunk.items.append(item)
        }
      }
      return chunk
    }

    private func leave(_ item: StreamedItem) throws {
      tally.parked.remove(item.number)
      ledger.record(item.record, outcome: .left, statement: item.statement)
      tally.counts.count(item.record.isUnchangedSeed ? .standing : .left, of: item.record.shape.name)
      // A user may have deleted the object.
      guard let present = item.present else { return }
      name(present)
      try indexes.set(present.seen, hash: item.hash, of: item.record)
    }

    // MARK: - Objects

    private func writeObjects(_ chunk: inout StreamedChunk, stage: StreamedStage) throws {
      let present = try objects.present(for: chunk.items, indexes: indexes)
      if stage == .lateReferences { return try findObjects(&chunk, present: present) }
      chunk.objects.reserveCapacity(chunk.items.count)
      chunk.outcomes.reserveCapacity(chunk.items.count)
      for item in chunk.items {
        tally.parked.remove(item.number)
        let record = item.record
        let outcome: RecordOutcome
        if let entry = item.present, let object = present[entry.seen] {
          var update = RecordUpdate(record: record, object: object, ledger: ledger, contents: contents)
          outcome = update.setValues() ? .updated : .unchanged
          chunk.conflicts += update.conflicts
          chunk.objects.append(object)
        } else {
          outcome = .created
          chunk.objects.append(ObjectWriting.create(record, in: context))
        }
        tally.counts.count(outcome, of: record.shape.name)
        chunk.outcomes.append(outcome)
      }
    }

    /// The objects of late records, which have their values.
    private func findObjects(_ chunk: inout StreamedChunk, present: [KeyEntry: NSManagedObject]) throws {
      for item in chunk.items {
        guard let object = item.present.flatMap({ present[$0.seen] }) else {
          throw StreamedFailure.missing(item.record)
        }
        chunk.objects.append(object)
        let isNew = tally.lateAndNew.contains(item.number)
        let isUnchanged = tally.lateAndUnchanged.contains(item.number)
        chunk.outcomes.append(isNew ? .created : isUnchanged ? .unchanged : .updated)
      }
    }

    // MARK: - References

    private func writeReferences(_ chunk: inout StreamedChunk) throws {
      try objects.fetchDestinations(of: chunk.items, indexes: indexes)
      for (place, item) in chunk.items.enumerated() {
        var differs = false
        var isLate = false
        for (number, destinations) in item.destinations.enumerated() {
          guard let destinations else {
            isLate = true
            continue
          }
          let reference = item.record.references[number]
          let members = try destinations.map { destination in
            switch destination {
            case .inChunk(let other): chunk.objects[chunk.places[other]]
            case .stored(let entry): try self.destination(entry, reference: reference, record: item.record)
            }
          }
          if try write(members, number: number, ofRecordAt: place, chunk: &chunk) { differs = true }
        }
        let isUnchanged = chunk.outcomes[place] == .unchanged
        if differs, isUnchanged { tally.countAsUpdated(item) }
        if isLate {
          tally.late.insert(item.number)
          if item.present == nil { tally.lateAndNew.insert(item.number) }
          if isUnchanged, !differs { tally.lateAndUnchanged.insert(item.number) }
        }
      }
    }

    private func destination(
      _ entry: KeyEntry,
      reference: PlannedRecord.Reference,
      record: PlannedRecord
    ) throws -> NSManagedObject {
      name(entry)
      return try objects.destination(entry, reference: reference, record: record)
    }

    // MARK: - Saving

    private func save(_ chunk: StreamedChunk) throws {
      do {
        if context.hasChanges { try context.save() }
      } catch {
        // Only all records together decide how many objects a relationship has, and which object has a unique value.
        if SeedFailure.isUndoable(error) { throw SeedRestart.asWhole }
        var isOrphan = false
        var isOwned = false
        let described = SeedFailure.ofWriting(
          error,
          in: context,
          among: chunk.objects,
          leavesOut: failures != nil,
          record: { object in chunk.item(of: object).map { ($0.number, $0.record.position) } },
          remover: { object in
            guard let item = chunk.removers[ObjectIdentifier(object)] else { return nil }
            isOrphan = true
            isOwned = isOwned || chunk.leftOut.contains(ObjectIdentifier(object))
            return item.record.position
          }
        )
        // Only all records together decide which objects are deleted.
        if isOrphan, isOwned || seeder.effectivePruning != .none { throw SeedRestart.asWhole }
        throw described
      }
    }

    /// Puts the objects of a chunk into the indexes, now that they have their keys.
    private func registerKeys(_ chunk: StreamedChunk) throws {
      for ((item, object), outcome) in zip(zip(chunk.items, chunk.objects), chunk.outcomes) {
        ledger.record(item.record, outcome: outcome, statement: item.statement)
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        let entity = indexes.number(of: item.record.shape.entity)
        let entry = try item.present?.seen ?? KeyEntry(primaryKey: key, entity: entity, isSeen: true)
        name(entry)
        try indexes.set(entry, hash: item.hash, of: item.record)
        guard item.hash == nil else { continue }
        if tally.late.contains(item.number) { lateKeyless[item.number] = entry }
        if seeder.effectivePruning == .all { createdKeyless[item.record.shape.name, default: []].insert(key) }
      }
    }

    func count(_ conflicts: [SeedReport.Conflict]) {
      tally.counts.count(conflicts)
      ledger.record(conflicts)
    }

    /// Breaks the reference cycles between objects before they are released. Otherwise they would free each other
    /// recursively, and a chain of thousands of objects exceeds the stack of a thread.
    private func untie() {
      guard graph.hasCircles() else { return }
      context.reset()
      objects.forgetDestinations()
    }
  }
#endif
