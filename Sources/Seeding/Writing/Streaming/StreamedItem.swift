#if !canImport(Darwin)
  import CoreData

  /// A record of a chunk, with the results of its resolution. Used by one thread at a time.
  final class StreamedItem {
    /// The destination of a reference: an object of the store, or one of the same chunk.
    enum Destination: Hashable {
      case stored(KeyEntry)
      case inChunk(Int)
    }

    let number: Int
    let record: PlannedRecord
    /// Of the record's natural key.
    let hash: KeyHash?
    /// The hashes of the natural keys of all objects that the record refers to, one reference after the other.
    let targetHashes: [KeyHash]
    /// The same of all that it takes out of relationships.
    let removalHashes: [KeyHash]
    /// What the record states, for the store's ledger; nil if the ledger does not get it.
    let statement: LedgerStatement?
    /// The object of the store that has the record's natural key.
    var present: KeyEntry?
    /// The destinations of each reference of the record; nil for one that is set later.
    var destinations: [[Destination]?] = []
    /// The objects that each reference removes from its relationship; empty for references that remove nothing.
    var removals: [[KeyEntry]] = []
    /// The references, by position, that are not written to the object.
    var unapplied: Set<Int> = []
    /// True if it does not create an object, because a user has deleted its owner.
    var lacksOwner = false
    /// True when it has to wait for records that it refers to.
    var isParked = false

    /// Makes an item of a record.
    ///
    /// - Throws: `SeedRestart.asWhole` where the record has a label or refers to one, or has a list that
    ///   replaces all that is there.
    init(_ numbered: SeedRecordStream.Numbered, digests: inout TargetDigests) throws {
      number = numbered.number
      record = numbered.record
      guard record.label == nil, !record.references.contains(where: \.replaces) else { throw SeedRestart.asWhole }
      hash = record.naturalKey.map { KeyHash($0) }
      var hashes: [KeyHash] = []
      hashes.reserveCapacity(record.references.reduce(0) { $0 + $1.targets.count })
      for reference in record.references {
        for target in reference.targets {
          guard case .key(let key) = target else { throw SeedRestart.asWhole }
          hashes.append(KeyHash(key))
        }
      }
      targetHashes = hashes
      removalHashes = try record.references.lazy.flatMap { $0.removals ?? [] }.map { target in
        guard case .key(let key) = target else { throw SeedRestart.asWhole }
        return KeyHash(key)
      }
      // The thread that reads has more time for the digests than the one that writes.
      statement =
        record.isInLedger ? digests.statement(of: record, targets: targetHashes, removals: removalHashes) : nil
    }

    func removals(ofReference place: Int) -> [KeyEntry] { removals.isEmpty ? [] : removals[place] }

    /// Clears the results of the resolution: a chunk with failed records is resolved again without them.
    func forgetResolution() {
      present = nil
      destinations = []
      removals = []
      unapplied = []
      lacksOwner = false
      isParked = false
    }
  }

#endif
