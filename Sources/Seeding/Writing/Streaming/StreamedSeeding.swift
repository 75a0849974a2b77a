#if !canImport(Darwin)
  import CoreData

  /// Takes seeds in that are larger than memory: chunk by chunk, in as many passes over their files as references need.
  ///
  /// The first pass writes each record whose references lead to what is there by then; where destinations stand before
  /// what refers to them, that is all. Records that refer to later ones wait for the next pass. Where relationships lead
  /// round in a circle, the records are written without those that are optional, which a last pass sets.
  struct StreamedSeeding {
    let intake: SeedIntake
    let writer: StreamedWriter
    let account: SeedAccount
    let seeder: Seeder
    let model: NSManagedObjectModel
    let progress: SeedProgress

    /// - Parameter first: The records that the intake has given already.
    func run(_ first: [SeedIntake.Numbered]) throws {
      let made = try objectsMade()
      do {
        try write(first)
      } catch let error as StreamedContradiction {
        throw error.described(at: try place(of: error))
      }
      try prune(made)
      try intake.checkIsUnchanged()
      for record in writer.leftOut { intake.uncount(record.number, of: record.record.shape.name) }
    }

    private func write(_ first: [SeedIntake.Numbered]) throws {
      if seeder.mode == .replace {
        try deletePresent()
        try pass { try writer.write($0, isLastChance: false) }
      } else {
        try goOn(after: first) { try writer.write($0, isLastChance: false) }
      }
      while !writer.parked.isEmpty {
        let waiting = writer.parked
        try pass(over: waiting) { try writer.write($0, isLastChance: false) }
        guard writer.parked.count < waiting.count else {
          // Nothing has moved, so that the first of them names what is missing.
          try pass(over: waiting) { try writer.write($0, isLastChance: true) }
          break
        }
      }
      if !writer.late.isEmpty { try pass(over: writer.late, writer.writeLate) }
    }

    /// Where the other record of a contradiction stands.
    private func place(of error: StreamedContradiction) throws -> SeedPosition? {
      intake.restart()
      while !intake.isAtEnd {
        let records = try intake.records(atMost: seeder.recordsInPiece)
        if let numbered = records.first(where: { error.isOther($0) }) { return numbered.record.position }
      }
      return nil
    }

    /// Goes over all records from the first on.
    private func pass(over numbers: RecordMarks? = nil, _ write: ([StreamedItem]) throws -> Void) throws {
      intake.restart()
      progress.expect(bytes: intake.size)
      try goOn(over: numbers, write)
    }

    private func goOn(
      after first: [SeedIntake.Numbered] = [],
      over numbers: RecordMarks? = nil,
      _ write: ([StreamedItem]) throws -> Void
    ) throws {
      let (keys, bytesRead) = (intake.naturalKeys, intake.bytesRead)
      let size = seeder.recordsInPiece
      let reading = SeedReadAhead(intake, size: size, over: numbers)
      defer { reading.stop() }
      writer.use(keys)
      for start in stride(from: 0, to: first.count, by: size) {
        try write(first[start...].prefix(size).map(StreamedItem.init))
        try progress.note(bytesRead / max(1, first.count) * min(first.count, start + size))
      }
      while let piece = try reading.next() {
        writer.use(piece.naturalKeys)
        try write(piece.items)
        try progress.note(piece.bytesRead)
        reading.takeBack(piece.items)
      }
      progress.finishPart(intake.size)
    }

    /// The entities that the seeds have lists of, with records or without.
    private var entities: [NSEntityDescription] {
      let names = Set(intake.counts.flatMap(\.keys)).union(intake.emptyEntities.compactMap(\.name))
      return names.sorted().compactMap { model.entitiesByName[$0] }
    }

    private var newDeletion: SeedDeletion {
      SeedDeletion(writer.context, intake.naturalKeys, savesBatches: true)
    }

    /// Only a pass over the files says which entities they have.
    private func deletePresent() throws {
      try pass { _ in }
      var deletion = newDeletion
      for entity in entities { try deletion.delete(entity) }
      writer.count(deletion)
      writer.pruned = deletion.digests.mapValues { DigestList($0) }
      account.replaced = writer.pruned
    }

    private func prune(_ made: [String: [UInt64: Int64]]) throws {
      switch seeder.mode == .replace ? .none : seeder.effectivePruning {
      case .none: return
      case .own: try deleteAbandoned(made)
      case .all: try deleteAbsent()
      }
    }

    /// The primary keys of the objects whose natural keys lead to others, which may have changed when all is written, by entity
    /// and digest.
    private func objectsMade() throws -> [String: [UInt64: Int64]] {
      guard seeder.mode != .replace, seeder.effectivePruning == .own else { return [:] }
      var made: [String: [UInt64: Int64]] = [:]
      for name in account.entitiesBrought {
        guard let entity = model.entitiesByName[name], let key = intake.naturalKeys.key(of: entity),
          key.attributes == nil
        else { continue }
        try writer.context.forEachBatch(of: request(entity), size: Self.batchSize) { objects in
          for object in objects {
            guard let values = key.values(of: object) else { continue }
            made[name, default: [:]][SeedDigest.of(values)] = NSManagedObjectID.primaryKey(of: object)
          }
        }
      }
      return made
    }

    private static let batchSize = 2000

    private func request(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      return request
    }

    private func deleteAbandoned(_ made: [String: [UInt64: Int64]]) throws {
      var deletion = newDeletion
      writer.pruned = account.abandoned()
      for (name, digests) in writer.pruned.sorted(by: { $0.key < $1.key }) {
        guard let entity = model.entitiesByName[name], let key = intake.naturalKeys.key(of: entity) else {
          continue
        }
        let known = made[name]
        let primaryKeys = Set(digests.digests.compactMap { known?[$0] })
        try deletion.delete(entity) { object in
          if known != nil {
            return NSManagedObjectID.primaryKey(of: object).map { !primaryKeys.contains($0) } ?? true
          }
          return key.values(of: object).map { !digests.contains(SeedDigest.of($0)) } ?? true
        }
      }
      writer.count(deletion)
    }

    private func deleteAbsent() throws {
      let keys = intake.naturalKeys
      var deletion = newDeletion
      for entity in entities {
        guard let name = entity.name else { continue }
        let shape = EntityShape(entity, name: name, naturalKey: keys.key(of: entity))
        try deletion.delete(entity) { object in
          if let key = shape.naturalKey?.values(of: object), try writer.hasSeen(key, of: shape) {
            return true
          }
          return writer.hasCreated(object)
        }
      }
      writer.count(deletion)
      writer.pruned = deletion.digests.mapValues { DigestList($0) }
    }
  }

  extension StreamedWriter {
    /// Whether the run has made an object that has no natural key.
    fileprivate func hasCreated(_ object: NSManagedObject) -> Bool {
      guard let name = object.entity.name, let key = NSManagedObjectID.primaryKey(of: object) else {
        return false
      }
      return createdKeyless[name]?.contains(key) ?? false
    }
  }
#endif
