#if !canImport(Darwin)
  import CoreData

  /// Takes seeds in that are larger than memory: chunk by chunk, in as many passes over their files as references need.
  ///
  /// The first pass writes each record whose destinations exist by then; if destinations come before the records that
  /// refer to them, this is the only pass. Records that refer to later ones wait for the next pass. If relationships
  /// form a cycle, the records are written without optional references, which a last pass sets.
  struct StreamedSeeding {
    let run: SeedRun
    let intake: SeedRecordStream
    let writer: StreamedWriter
    let ledger: LedgerDraft

    private var seeder: Seeder { run.seeder }

    /// - Parameter first: The records that the intake has given already.
    func write(_ first: [SeedRecordStream.Numbered]) throws -> WrittenRecords {
      let created = try createdObjects()
      let edits = try editedObjects()
      do {
        try writeAll(first)
      } catch let error as StreamedContradiction {
        throw error.described(at: try place(of: error))
      }
      do {
        try prune(created, edits: edits)
        try deleteOwned()
      } catch  where SeedFailure.isUndoable(error) {
        // Only a run with all records in memory can find the record of the object.
        throw SeedRestart.asWhole
      }
      try intake.checkIsUnchanged()
      for record in writer.leftOut { intake.uncount(record.number, of: record.record.shape.name) }
      return WrittenRecords(counts: writer.counts, pruned: writer.pruned) { SeedFailure.described($0) }
    }

    private func writeAll(_ first: [SeedRecordStream.Numbered]) throws {
      if seeder.mode == .replace {
        try deletePresent()
        try pass(.whatCanBe)
      } else {
        try continuePass(.whatCanBe, after: first)
      }
      while !writer.parked.isEmpty {
        let waiting = writer.parked
        try pass(.whatCanBe, over: waiting)
        guard writer.parked.count < waiting.count else {
          // No record made progress, so that the first one reports its missing destination.
          try pass(.allThatWait, over: waiting)
          break
        }
      }
      if !writer.late.isEmpty { try pass(.lateReferences, over: writer.late) }
    }

    /// The position of the other record of a contradiction.
    private func place(of error: StreamedContradiction) throws -> SeedPosition? {
      intake.restart()
      while !intake.isAtEnd {
        let records = try intake.records(atMost: seeder.recordsInPiece)
        if let numbered = records.first(where: { error.isOther($0) }) { return numbered.record.position }
      }
      return nil
    }

    /// Reads the records again, from the first one on, and writes a part of them.
    private func pass(_ stage: StreamedStage, over numbers: RecordMarks? = nil) throws {
      intake.restart()
      run.progress.expect(bytes: intake.size)
      try continuePass(stage, over: numbers)
    }

    private func continuePass(
      _ stage: StreamedStage,
      after first: [SeedRecordStream.Numbered] = [],
      over numbers: RecordMarks? = nil
    ) throws {
      let reading = SeedReadAhead(intake, after: first, size: seeder.recordsInPiece, over: numbers)
      defer { reading.stop() }
      while let piece = try reading.next() {
        writer.use(piece.naturalKeys)
        try writer.write(piece.items, table: stage)
        try run.progress.reportRead(piece.bytesRead)
        reading.recycle(piece.items)
      }
      run.progress.finishPart(intake.size)
    }

    /// The entities that the seeds have lists of, with records or without.
    private var entities: [NSEntityDescription] {
      let names = Set(intake.counts.flatMap(\.keys)).union(intake.emptyEntities.compactMap(\.name))
      return names.sorted().compactMap { run.model.entitiesByName[$0] }
    }

    /// The error of a record that refers to a deleted object needs all records.
    private var newDeletion: SeedDeletion {
      SeedDeletion(context: writer.context, naturalKeys: intake.naturalKeys, savesBatches: true) {
        [writer] object in
        if writer.isNamed(object) { throw SeedRestart.asWhole }
      }
    }

    /// Deletes the objects that owners have dropped from their lists.
    private func deleteOwned() throws {
      var deletion = newDeletion
      try writer.owned.delete(by: &deletion, in: writer.context) { writer.isNamed($0) }
      writer.count(deletion)
      deletion.add(to: &writer.pruned)
    }

    /// Only a pass over the files finds all of their entities.
    private func deletePresent() throws {
      intake.restart()
      run.progress.expect(bytes: intake.size)
      while !intake.isAtEnd {
        _ = try intake.records(atMost: seeder.recordsInPiece)
        if intake.stated.mayContradict { throw SeedRestart.asWhole }
        try run.progress.reportRead(intake.bytesRead)
      }
      run.progress.finishPart(intake.size)
      var deletion = newDeletion
      for entity in entities { try deletion.delete(entity) }
      writer.count(deletion)
      deletion.add(to: &writer.pruned)
      ledger.replaced = writer.pruned
    }

    private func prune(_ created: [String: [UInt64: Int64]], edits: Edits) throws {
      switch seeder.effectivePruning {
      case .none: return
      case .own: try deleteAbandoned(created, edits: edits)
      case .all: try deleteAbsent()
      }
    }

    /// The primary keys of the created objects whose natural keys contain relationships, by entity
    /// and digest. Such a key may have changed by the time all records are written.
    private func createdObjects() throws -> [String: [UInt64: Int64]] {
      guard seeder.effectivePruning == .own else { return [:] }
      var created: [String: [UInt64: Int64]] = [:]
      try forEachObject(where: { $0.attributes == nil }) { object, name, digest in
        created[name, default: [:]][digest] = NSManagedObjectID.primaryKey(of: object)
      }
      return created
    }

    /// Visits the objects of the entities that the seeds have contained before and whose natural key meets a condition.
    private func forEachObject(
      where isWanted: (NaturalKey) -> Bool,
      _ body: (_ object: NSManagedObject, _ entity: String, _ keyDigest: UInt64) -> Void
    ) throws {
      for name in ledger.entitiesBrought {
        guard let entity = run.model.entitiesByName[name], let key = intake.naturalKeys.key(of: entity),
          isWanted(key)
        else { continue }
        try writer.context.forEachBatch(of: .exactly(entity), size: Self.batchSize) { objects in
          for object in objects {
            if let values = key.values(of: object) { body(object, name, SeedDigest.of(values)) }
          }
        }
      }
    }

    /// The conflicts about objects that users have changed, by entity and primary key, should the
    /// seeds turn out not to bring these any more.
    private typealias Edits = [String: [Int64: SeedReport.Conflict]]

    private func editedObjects() throws -> Edits {
      guard seeder.mode == .merge, seeder.effectivePruning == .own else { return [:] }
      var edits: Edits = [:]
      try forEachObject(where: { _ in true }) { object, name, digest in
        guard ledger.isCreated(digest, of: name), let primaryKey = NSManagedObjectID.primaryKey(of: object)
        else { return }
        edits[name, default: [:]][primaryKey] = ledger.conflict(deleting: object, naturalKeys: intake.naturalKeys)
      }
      return edits
    }

    private static let batchSize = 2000

    private func deleteAbandoned(_ created: [String: [UInt64: Int64]], edits: Edits) throws {
      var deletion = newDeletion
      var conflicts: [SeedReport.Conflict] = []
      writer.pruned = ledger.abandoned()
      for (name, digests) in writer.pruned.sorted(by: { $0.key < $1.key }) {
        guard let entity = run.model.entitiesByName[name], let key = intake.naturalKeys.key(of: entity) else {
          continue
        }
        let known = created[name]
        let primaryKeys = Set(digests.digests.compactMap { known?[$0] })
        func isAbandoned(_ object: NSManagedObject) -> Bool {
          if known != nil {
            return NSManagedObjectID.primaryKey(of: object).map { primaryKeys.contains($0) } ?? false
          }
          return key.values(of: object).map { digests.contains(SeedDigest.of($0)) } ?? false
        }
        try deletion.delete(entity) { object in
          guard isAbandoned(object) else { return true }
          let conflict = NSManagedObjectID.primaryKey(of: object).flatMap { edits[name]?[$0] }
          if let conflict { conflicts.append(conflict) }
          return !PruneDecision.decide(onAbandonedWith: conflict).deletes
        }
      }
      writer.count(conflicts)
      writer.count(deletion)
    }

    private func deleteAbsent() throws {
      let keys = intake.naturalKeys
      var deletion = newDeletion
      for entity in entities {
        guard let name = entity.name else { continue }
        let shape = EntityShape(entity, name: name, naturalKey: keys.key(of: entity))
        try deletion.delete(entity) { object in
          if let key = shape.naturalKey?.values(of: object), try writer.hasSeen(key, of: shape) { return true }
          return writer.hasCreated(object)
        }
      }
      writer.count(deletion)
      deletion.add(to: &writer.pruned)
    }
  }

  extension StreamedWriter {
    /// Returns true if the run has created the object, which does not have a natural key.
    fileprivate func hasCreated(_ object: NSManagedObject) -> Bool {
      guard let name = object.entity.name, let key = NSManagedObjectID.primaryKey(of: object) else { return false }
      return createdKeyless[name]?.contains(key) ?? false
    }
  }
#endif
