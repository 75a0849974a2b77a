#if !canImport(Darwin)
  import CoreData

  /// A record of a chunk, with what was found out about it.
  final class StreamedItem {
    /// What a reference leads to: an object that was kept, or one of the same chunk.
    enum Destination: Hashable {
      case kept(KeyEntry)
      case inChunk(Int)
    }

    let number: Int
    let record: PlannedRecord
    let hash: KeyHash?
    /// The object of the store that has the record's natural key.
    var present: KeyEntry?
    /// The destinations of each reference of the record; nil for one that is set later.
    var destinations: [[Destination]?] = []
    /// Whether it has to wait for records that it refers to.
    var isParked = false

    init(_ numbered: SeedIntake.Numbered, hash: KeyHash?, present: KeyEntry?) {
      number = numbered.number
      record = numbered.record
      self.hash = hash
      self.present = present
    }
  }

  /// Thrown where a seed has what cannot be taken in piece by piece.
  struct NeedsWholeRun: Error {}

#endif
