#if !canImport(Darwin)
  import CoreData

  /// Takes seeds in that are larger than memory: chunk by chunk, in as many passes over their files as references need.
  ///
  /// The first pass writes each record whose references lead to what is there by then; where destinations stand before
  /// what refers to them, that is all. Records that refer to later ones wait for the next pass. Where relationships lead
  /// round in a circle, the records are written without those that are optional, which a last pass sets.
  struct StreamedSeeding {
    /// Records that are written with one save.
    static let chunkSize = 4000

    let intake: SeedIntake
    let writer: StreamedWriter
    let mode: SeedMode
    let model: NSManagedObjectModel
    let progress: SeedProgress

    /// - Parameter first: The records that the intake has given already.
    func run(_ first: [SeedIntake.Numbered]) throws {
      if mode == .replace {
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
      if mode == .prune { try deleteAbsent() }
      try intake.checkIsUnchanged()
      for record in writer.leftOut { intake.uncount(record.number, of: record.record.shape.name) }
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
      let reading = SeedReadAhead(intake, size: Self.chunkSize, over: numbers)
      defer { reading.stop() }
      writer.use(keys)
      for start in stride(from: 0, to: first.count, by: Self.chunkSize) {
        try progress.note(bytesRead)
        try write(first[start...].prefix(Self.chunkSize).map(StreamedItem.init))
      }
      while let piece = try reading.next() {
        try progress.note(piece.bytesRead)
        writer.use(piece.naturalKeys)
        try write(piece.items)
        reading.takeBack(piece.items)
      }
      progress.finishPart(intake.size)
    }

    /// The entities that the seeds have lists of, with records or without.
    private var entities: [NSEntityDescription] {
      let names = Set(intake.counts.flatMap(\.keys)).union(intake.emptyEntities.compactMap(\.name))
      return names.sorted().compactMap { model.entitiesByName[$0] }
    }

    /// Only a pass over the files says which entities they have.
    private func deletePresent() throws {
      try pass { _ in }
      let deletion = SeedDeletion(context: writer.context, savesBatches: true)
      for entity in entities {
        writer.countDeletions(try deletion.delete(entity), of: entity.name ?? "")
      }
    }

    private func deleteAbsent() throws {
      let deletion = SeedDeletion(context: writer.context, savesBatches: true)
      let keys = intake.naturalKeys
      for entity in entities {
        guard let name = entity.name else { continue }
        let shape = EntityShape(entity, name: name, naturalKey: keys.key(of: entity))
        let count = try deletion.delete(entity) { object in
          if let key = shape.naturalKey?.values(of: object), try writer.hasSeen(key, of: shape) {
            return true
          }
          return writer.hasCreated(object)
        }
        writer.countDeletions(count, of: name)
      }
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
