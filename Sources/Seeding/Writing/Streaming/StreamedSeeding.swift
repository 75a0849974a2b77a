#if !canImport(Darwin)
  import CoreData
  import Foundation

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

    func run() throws {
      if mode == .replace { try deletePresent() }
      try pass { try writer.write($0, isLastChance: false) }
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

    private func pass(over numbers: RecordMarks? = nil, _ write: ([SeedIntake.Numbered]) throws -> Void)
      throws
    {
      intake.restart()
      while !intake.isAtEnd {
        let records = try intake.records(atMost: Self.chunkSize) { numbers?.contains($0) ?? true }
        writer.use(intake.naturalKeys)
        try write(records)
      }
    }

    /// The entities that the seeds have records of.
    private var entities: [NSEntityDescription] {
      Set(intake.counts.flatMap(\.keys)).sorted().compactMap { model.entitiesByName[$0] }
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
      guard let name = object.entity.name, let key = object.objectID.primaryKey else { return false }
      return createdKeyless[name]?.contains(key) ?? false
    }
  }
#endif
