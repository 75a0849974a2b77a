#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Writes chunks of records in the context of a transaction, on that context's queue, and saves after each.
  final class StreamedWriter {
    let context: NSManagedObjectContext
    private let mode: SeedMode
    private let failures: RecordFailures?
    private var indexes: KeyIndexes
    private var graph = ReferenceGraph()
    private var objects: StreamedObjects
    private var written: [(item: StreamedItem, object: NSManagedObject)] = []

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
      _ mode: SeedMode,
      _ failures: RecordFailures?
    ) {
      self.failures = failures
      self.context = context
      objects = StreamedObjects(context, store)
      self.mode = mode
      indexes = KeyIndexes(context, model)
    }

    /// Headers of the run may declare natural keys as they are read.
    func use(_ naturalKeys: NaturalKeys) { indexes.use(naturalKeys) }

    /// Whether this run has met an object's natural key.
    func hasSeen(_ key: KeyValues, of shape: EntityShape) throws -> Bool {
      try indexes.entry(KeyHash(key), of: shape)?.isSeen ?? false
    }

    func countDeletions(_ count: Int, of entity: String) {
      if count > 0 { counts[entity, default: .init()].deleted += count }
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
      written = []
      unchanged = []
    }

    private func writeWhole(_ chunk: [StreamedItem], isLastChance: Bool) throws {
      var resolution = StreamedResolution(chunk, mode: mode, isLastChance: isLastChance)
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
      try writeReferences(items, places)
      try save()
      try noteKeys()
      for item in left { try leave(item) }
      untie()
      written = []
      objects.forgetDestinationsIfMany()
    }

    private func leave(_ item: StreamedItem) throws {
      parked.remove(item.number)
      counts[item.record.shape.name, default: .init()].skipped += 1
      if let present = item.present { try indexes.set(present.seen, item.hash, of: item.record) }
    }

    private func writeObjects(_ items: [StreamedItem]) throws {
      let present = try objects.present(for: items, indexes)
      written = []
      written.reserveCapacity(items.count)
      for item in items {
        parked.remove(item.number)
        let record = item.record
        if let entry = item.present, let object = present[entry.seen] {
          if ObjectWriting.set(record.values, of: object) {
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
        let object = written[place].object
        var differs = false
        var isLate = false
        for (reference, destinations) in zip(item.record.references, item.destinations) {
          guard let destinations else {
            isLate = true
            continue
          }
          let objects = try destinations.map { destination in
            switch destination {
            case .inChunk(let other): written[places[other]].object
            case .kept(let entry): try self.objects.destination(entry, reference, item.record)
            }
          }
          if item.present == nil {
            ObjectWriting.setNew(objects, for: reference.relationship, of: object)
          } else if ObjectWriting.set(objects, for: reference.relationship, of: object) {
            differs = true
          }
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
      var resolution = StreamedResolution(chunk, mode: .upsert, isLastChance: true)
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
        for (reference, destinations) in zip(item.record.references, item.destinations) {
          let objects = try (destinations ?? []).compactMap { destination in
            if case .kept(let entry) = destination {
              try self.objects.destination(entry, reference, item.record)
            } else {
              nil
            }
          }
          guard ObjectWriting.set(objects, for: reference.relationship, of: object) else { continue }
          if lateAndUnchanged.contains(item.number) {
            lateAndUnchanged.remove(item.number)
            countAsUpdated(item.record)
          }
        }
      }
      try save()
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
        throw found ?? SeedFailure.described(error) { item(of: $0)?.record.position }
      }
    }

    /// The record of the chunk at hand that an object was made from.
    private func item(of object: NSManagedObject) -> StreamedItem? {
      written.first { $0.object === object }?.item
    }

    /// Puts the objects of the chunk into the indexes, now that they have their keys.
    private func noteKeys() throws {
      for (item, object) in written {
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        let entity = indexes.number(of: item.record.shape.entity)
        let entry = try item.present?.seen ?? KeyEntry(primaryKey: key, entity: entity, isSeen: true)
        try indexes.set(entry, item.hash, of: item.record)
        guard item.hash == nil else { continue }
        if late.contains(item.number) { lateKeyless[item.number] = entry }
        if mode == .prune { createdKeyless[item.record.shape.name, default: []].insert(key) }
      }
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
