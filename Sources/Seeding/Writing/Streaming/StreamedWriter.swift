#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Writes chunks of records in the context of a transaction, on that context's queue, and saves after each.
  final class StreamedWriter {
    let context: NSManagedObjectContext
    let seeder: Seeder
    let account: SeedAccount
    private let failures: RecordFailures?
    var indexes: KeyIndexes
    private var graph = ReferenceGraph()
    var objects: StreamedObjects
    var written: [(item: StreamedItem, object: NSManagedObject)] = []
    var claims = RelationshipClaims()
    /// The records of the chunk at hand that have taken objects out of relationships, without which these cannot be.
    var takenOut: [ObjectIdentifier: StreamedItem] = [:]
    /// The conflicts of the chunk at hand.
    var conflicts: [SeedReport.Conflict] = []

    /// The digests of the natural keys of what was deleted, by entity.
    var pruned: [String: DigestList] = [:]
    private(set) var counts: [String: SeedReport.Counts] = [:]
    /// Records that wait for others.
    private(set) var parked = RecordMarks()
    /// Records whose references have to be set when all records are there.
    private(set) var late = RecordMarks()
    private var lateAndUnchanged = RecordMarks()
    /// Records that turned out to be wrong.
    private(set) var leftOut: [StreamedItem] = []
    /// The objects of late records that have no natural key to be found by.
    private var lateKeyless: [Int: KeyEntry] = [:]
    /// The objects that the run has made without a natural key, by entity, where absent ones are to be deleted.
    private(set) var createdKeyless: [String: Set<Int64>] = [:]

    init(
      _ context: NSManagedObjectContext,
      _ store: NSPersistentStore,
      _ model: NSManagedObjectModel,
      _ seeder: Seeder,
      _ account: SeedAccount,
      _ failures: RecordFailures?
    ) {
      self.failures = failures
      self.context = context
      objects = StreamedObjects(context, store)
      self.seeder = seeder
      self.account = account
      indexes = KeyIndexes(context, model)
    }

    /// Headers of the run may declare natural keys as they are read.
    func use(_ naturalKeys: NaturalKeys) { indexes.use(naturalKeys) }

    /// Whether this run has met an object's natural key.
    func hasSeen(_ key: KeyValues, of shape: EntityShape) throws -> Bool {
      try indexes.entry(KeyHash(key), of: shape)?.isSeen ?? false
    }

    func count(_ deletion: SeedDeletion) {
      for (entity, count) in deletion.counts { counts[entity, default: .init()].deleted += count }
    }

    // MARK: - Records

    /// Writes those records of a chunk whose references lead somewhere; the others are parked. Those that are wrong are left
    /// out, or end the run.
    func write(_ chunk: [StreamedItem], isLastChance: Bool) throws {
      guard let failures else { return try writeWhole(chunk, isLastChance: isLastChance) }
      var chunk = chunk
      while true {
        let before = (counts, parked, late, lateAndUnchanged)
        do {
          return try writeWhole(chunk, isLastChance: isLastChance)
        } catch let found as RecordFailures.Found {
          (counts, parked, late, lateAndUnchanged) = before
          forgetChunk()
          try failures.note(found)
          for (number, _) in found.errors { parked.remove(number) }
          leftOut += chunk.filter { failures.contains($0.number) }
          chunk.removeAll { failures.contains($0.number) }
        }
      }
    }

    /// Drops what was done for a chunk and not saved.
    private func forgetChunk() {
      context.reset()
      objects.forgetDestinations()
      claims.forgetRecords()
      conflicts = []
      takenOut = [:]
      written = []
      unchanged = []
    }

    private func writeWhole(_ chunk: [StreamedItem], isLastChance: Bool) throws {
      var resolution = StreamedResolution(chunk, seeder, account, isLastChance: isLastChance)
      resolution.leavesOutFailures = failures != nil
      try resolution.resolve(&indexes, &graph)
      var items: [StreamedItem] = []
      var left: [StreamedItem] = []
      items.reserveCapacity(chunk.count)
      // Numbers within the chunk stay valid, because nothing that is written leads to what is parked.
      var places = [Int](repeating: -1, count: resolution.items.count)
      for index in resolution.items.indices {
        let item = resolution.items[index]
        if item.isParked {
          parked.insert(item.number)
        } else if resolution.leavesAsIs(item) {
          left.append(item)
        } else {
          places[index] = items.count
          items.append(item)
        }
      }
      try writeObjects(items)
      for item in items { claims.announce(item.record) }
      try writeReferences(items, places)
      try save()
      try noteKeys()
      noteConflicts()
      for item in left { try leave(item) }
      untie()
      written = []
      objects.forgetDestinationsIfMany()
    }

    private func leave(_ item: StreamedItem) throws {
      parked.remove(item.number)
      if let present = item.present {
        account.note(item.record, .left)
        try indexes.set(present.seen, item.hash, of: item.record)
      } else if !item.record.isStanding {
        // A user has deleted the object, and the seed brings it all the same.
        account.note(item.record, .left)
      }
      if !item.record.isStanding { counts[item.record.shape.name, default: .init()].skipped += 1 }
    }

    private func writeObjects(_ items: [StreamedItem]) throws {
      let present = try objects.present(for: items, indexes)
      written = []
      written.reserveCapacity(items.count)
      for item in items {
        parked.remove(item.number)
        let record = item.record
        if let entry = item.present, let object = present[entry.seen] {
          var update = RecordUpdate(record, object, account)
          let differs = update.setValues()
          conflicts += update.conflicts
          if differs {
            counts[record.shape.name, default: .init()].updated += 1
          } else {
            counts[record.shape.name, default: .init()].unchanged += 1
            unchanged.insert(written.count)
          }
          written.append((item, object))
        } else {
          written.append((item, ObjectWriting.create(record, in: context)))
          counts[record.shape.name, default: .init()].created += 1
        }
      }
    }

    /// The records of the chunk, by place, whose objects were as the record says so far.
    private var unchanged: Set<Int> = []

    // MARK: - References

    private func writeReferences(_ items: [StreamedItem], _ places: [Int]) throws {
      try objects.fetchDestinations(of: items, indexes)
      for place in items.indices {
        let item = items[place]
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
            case .inChunk(let other): written[places[other]].object
            case .kept(let entry): try objects.destination(entry, reference, item.record)
            }
          }
          if try write(members, number, of: item, written[place].object) { differs = true }
        }
        let isUnchanged = unchanged.contains(place)
        if differs, isUnchanged { countAsUpdated(item.record) }
        if isLate {
          late.insert(item.number)
          if isUnchanged, !differs { lateAndUnchanged.insert(item.number) }
        }
      }
      unchanged = []
    }

    private func countAsUpdated(_ record: PlannedRecord) {
      counts[record.shape.name, default: .init()].unchanged -= 1
      counts[record.shape.name, default: .init()].updated += 1
    }

    /// Sets the references of late records, when all records are there.
    func writeLate(_ chunk: [StreamedItem]) throws {
      written = []
      var resolution = StreamedResolution(chunk, seeder, account, isLastChance: true)
      resolution.isOfLateRecords = true
      resolution.leavesOutFailures = failures != nil
      try resolution.resolve(&indexes, &graph)
      let items = resolution.items
      for item in items where item.hash == nil { item.present = lateKeyless[item.number] }
      let present = try objects.present(for: items, indexes)
      try objects.fetchDestinations(of: items, indexes)
      for item in items {
        guard let entry = item.present, let object = present[entry.seen] else { continue }
        written.append((item, object))
        claims.announce(item.record)
        for (number, destinations) in item.destinations.enumerated() {
          let reference = item.record.references[number]
          let members = try (destinations ?? []).compactMap { destination in
            if case .kept(let entry) = destination {
              try objects.destination(entry, reference, item.record)
            } else {
              nil
            }
          }
          guard try write(members, number, of: item, object), lateAndUnchanged.contains(item.number) else {
            continue
          }
          lateAndUnchanged.remove(item.number)
          countAsUpdated(item.record)
        }
      }
      try save()
      try keepClaims()
      noteConflicts()
      untie()
      written = []
      objects.forgetDestinationsIfMany()
    }

    // MARK: - Saving

    private func save() throws {
      do {
        if context.hasChanges { try context.save() }
      } catch {
        let found = failures.flatMap { _ in
          SeedFailure.records(error) { object in item(of: object).map { ($0.number, $0.record.position) } }
        }
        if let found { throw found }
        var isOrphan = false
        let described = SeedFailure.described(error) { object in
          if let item = item(of: object) { return .record(item.record.position) }
          guard let item = takenOut[ObjectIdentifier(object)] else { return nil }
          isOrphan = true
          return .takenOut(item.record.position)
        }
        // Only when all records are known is it known what is deleted.
        if isOrphan, seeder.effectivePruning != .none { throw NeedsWholeRun() }
        throw described
      }
    }

    /// The record of the chunk at hand that an object was made from.
    private func item(of object: NSManagedObject) -> StreamedItem? {
      written.first { $0.object === object }?.item
    }

    /// Puts the objects of the chunk into the indexes, now that they have their keys.
    private func noteKeys() throws {
      for (item, object) in written {
        account.note(item.record, item.present == nil ? .made : .written)
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        let entity = indexes.number(of: item.record.shape.entity)
        let entry = try item.present?.seen ?? KeyEntry(primaryKey: key, entity: entity, isSeen: true)
        try indexes.set(entry, item.hash, of: item.record)
        guard item.hash == nil else { continue }
        if late.contains(item.number) { lateKeyless[item.number] = entry }
        if seeder.effectivePruning == .all {
          createdKeyless[item.record.shape.name, default: []].insert(key)
        }
      }
      try keepClaims()
    }

    private func noteConflicts() {
      for conflict in conflicts { counts[conflict.entity, default: .init()].conflicts += 1 }
      account.note(conflicts)
      conflicts = []
      takenOut = [:]
    }

    /// Takes objects apart that refer to each other in turn, before they are let go of: they would free each other one
    /// within the other, and a chain of thousands takes more than the stack of a thread.
    private func untie() {
      guard graph.hasCircles() else { return }
      context.reset()
      objects.forgetDestinations()
    }
  }

#endif
