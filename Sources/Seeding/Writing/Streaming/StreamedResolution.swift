#if !canImport(Darwin)
  import CoreData

  /// Finds out for the records of one chunk which objects they are, and which they refer to.
  struct StreamedResolution {
    private struct LocalKey: Hashable {
      let entity: ObjectIdentifier
      let hash: KeyHash

      /// The hash of the key tells nearly all of them apart.
      func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    private let ledger: LedgerDraft
    private let stage: StreamedStage
    /// True to continue after a record with an error, in order to find all of the chunk.
    private let leavesOutFailures: Bool
    let items: [StreamedItem]
    private var local: [LocalKey: Int] = [:]

    init(
      items: [StreamedItem],
      stage: StreamedStage,
      ledger: LedgerDraft,
      leavesOutFailures: Bool
    ) {
      self.items = items
      self.stage = stage
      self.ledger = ledger
      self.leavesOutFailures = leavesOutFailures
      local.reserveCapacity(items.count)
    }

    mutating func resolve(_ indexes: inout KeyIndexes, graph: inout ReferenceGraph) throws {
      let items = items
      try RecordFailures.Found.check(items.indices, number: { items[$0].number }, if: leavesOutFailures) {
        items[$0].forgetResolution()
        try identify($0, indexes: &indexes)
      }
      try RecordFailures.Found.check(items.indices, number: { items[$0].number }, if: leavesOutFailures) {
        guard !leavesAsIs(items[$0]) else { return }
        items[$0].destinations = try destinations(of: $0, indexes: &indexes, graph: &graph)
        items[$0].removals = try removals(of: items[$0], indexes: &indexes)
      }
      // Other records of the chunk may refer to a parked record.
      while try parkDependents(&graph) {}
    }

    /// Returns true if a record's object is not changed, or not created.
    func leavesAsIs(_ item: StreamedItem) -> Bool {
      if stage == .lateReferences { return false }
      return !ledger.decision(on: item.record, hasObject: item.present != nil, isLeftOut: item.lacksOwner).writes
    }

    private mutating func identify(_ index: Int, indexes: inout KeyIndexes) throws {
      let item = items[index]
      let record = item.record
      let present = try item.hash.flatMap { try indexes.entry($0, of: record.shape) }
      if let hash = item.hash {
        let key = LocalKey(entity: ObjectIdentifier(record.shape.entity), hash: hash)
        let isTwice = local.updateValue(index, forKey: key) != nil
        if isTwice || present?.isSeen == true, stage != .lateReferences { throw StreamedFailure.duplicate(record) }
      }
      if present == .several { throw SeedFailure.ambiguous(record.naturalKey, of: record.shape, at: record.position) }
      item.present = present
      if present == nil, !record.isUnchangedSeed {
        item.lacksOwner = try ledger.lacksOwner(record) { key, shape in
          try indexes.entry(KeyHash(key), of: shape) != nil
        }
        if item.lacksOwner { ledger.leaveOut(record) }
      }
      if leavesAsIs(item), item.present == nil {
        // No record can refer to an object that is not created.
        if let hash = item.hash { local[LocalKey(entity: ObjectIdentifier(record.shape.entity), hash: hash)] = nil }
        return
      }
      for (superentity, key) in indexes.superentities(of: record.shape) {
        guard let values = record.values(for: key) else { continue }
        let entity = ObjectIdentifier(indexes.entity(superentity))
        local[LocalKey(entity: entity, hash: KeyHash(values))] = index
      }
    }

    private mutating func destinations(
      of index: Int,
      indexes: inout KeyIndexes,
      graph: inout ReferenceGraph
    ) throws -> [[StreamedItem.Destination]?] {
      let record = items[index].record
      var hashes = items[index].targetHashes[...]
      var all: [[StreamedItem.Destination]?] = []
      all.reserveCapacity(record.references.count)
      for reference in record.references {
        if !reference.targets.isEmpty { graph.add(from: record.shape, to: reference.destination) }
        var found: [StreamedItem.Destination]? = []
        found?.reserveCapacity(reference.targets.count)
        let hashesOfReference = hashes.prefix(reference.targets.count)
        hashes = hashes.dropFirst(reference.targets.count)
        for (place, hash) in hashesOfReference.enumerated() {
          if let entry = try indexes.entry(hash, of: reference.destination) {
            if entry == .several {
              throw SeedFailure.ambiguous(
                reference.keys[place],
                of: reference.destination,
                at: record.position.with(key: reference.relationship.name)
              )
            }
            found?.append(.stored(entry.seen))
          } else if let other = local[
            LocalKey(entity: ObjectIdentifier(reference.destination.entity), hash: hash)
          ] {
            found?.append(.inChunk(other))
          } else if !ledger.staysDeleted(reference.keys[place], of: reference.destination) {
            if stage != .whatCanBe {
              throw StreamedFailure.unknown(reference.keys[place], reference: reference, record: record)
            }
            if isPutOff(reference, of: index, graph: &graph) { found = nil }
            break
          }
        }
        all.append(found)
      }
      return all
    }

    /// The objects that the references of a record take out of their relationships. An object that
    /// is not there need not be taken out.
    private func removals(of item: StreamedItem, indexes: inout KeyIndexes) throws -> [[KeyEntry]] {
      guard !item.removalHashes.isEmpty else { return [] }
      var hashes = item.removalHashes[...]
      return try item.record.references.map { reference in
        let hashesOfReference = hashes.prefix(reference.removals?.count ?? 0)
        hashes = hashes.dropFirst(hashesOfReference.count)
        return try hashesOfReference.compactMap { hash in
          let entry = try indexes.entry(hash, of: reference.destination)
          return entry == .several ? nil : entry?.seen
        }
      }
    }

    /// Returns true when a reference that leads nowhere yet can be set when all records are there.
    /// If not, its record is parked.
    private mutating func isPutOff(
      _ reference: PlannedRecord.Reference,
      of index: Int,
      graph: inout ReferenceGraph
    ) -> Bool {
      if reference.relationship.isOptional,
        graph.isCircular(from: items[index].record.shape, to: reference.destination)
      {
        return true
      }
      items[index].isParked = true
      return false
    }

    /// - Returns: True when any more were parked.
    private mutating func parkDependents(_ graph: inout ReferenceGraph) throws -> Bool {
      guard items.contains(where: \.isParked) else { return false }
      var parkedMore = false
      for index in items.indices where !items[index].isParked {
        for (place, destinations) in items[index].destinations.enumerated() {
          let waits = destinations?.contains { destination in
            if case .inChunk(let other) = destination { items[other].isParked } else { false }
          }
          guard waits == true else { continue }
          let reference = items[index].record.references[place]
          if isPutOff(reference, of: index, graph: &graph) {
            items[index].destinations[place] = nil
          } else {
            parkedMore = true
          }
        }
      }
      return parkedMore
    }
  }

#endif
