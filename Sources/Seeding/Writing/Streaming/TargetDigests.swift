#if !canImport(Darwin)
  import CoreData

  /// The digests of references for the store's ledger. Many records refer to the same objects, so the last digests are
  /// kept. Used by one thread at a time.
  struct TargetDigests {
    /// The number of digests that are kept.
    private static let most = 10_000

    /// The digests of the objects' natural keys.
    private var objects: [KeyHash: UInt64] = [:]
    /// The digests of references to one object, by the object's digest.
    private var references: [UInt64: UInt64] = [:]
    private var stated = StatedProperties.Cache()

    /// What a record states.
    /// - Parameters:
    ///   - targets: The hashes of the keys of all objects that it refers to, one reference after the other.
    ///   - removals: The same of the objects that it removes.
    mutating func statement(of record: PlannedRecord, targets: [KeyHash], removals: [KeyHash]) -> LedgerStatement {
      var (targetsLeft, removalsLeft) = (targets[...], removals[...])
      return LedgerStatement(of: record, properties: stated.properties(of: record)) { place in
        let reference = record.references[place]
        let targets = targetsLeft.prefix(reference.targets.count)
        let removals = removalsLeft.prefix(reference.removals?.count ?? 0)
        targetsLeft.removeFirst(targets.count)
        removalsLeft.removeFirst(removals.count)
        return digest(of: reference, targets: targets, removals: removals)
      }
    }

    /// The digest of a reference.
    /// - Parameters:
    ///   - targets: The hashes of the keys of its objects, in their order.
    ///   - removals: The same of the objects that it removes.
    private mutating func digest(
      of reference: PlannedRecord.Reference,
      targets: some Collection<KeyHash>,
      removals: some Collection<KeyHash>
    ) -> UInt64 {
      let digests = digests(of: reference.targets, hashes: targets)
      if let removed = reference.removals {
        return SeedDigest.of(adding: digests, removing: self.digests(of: removed, hashes: removals))
      }
      guard digests.count == 1 else { return SeedDigest.of(digests, isOrdered: reference.relationship.isOrdered) }
      if let known = references[digests[0]] { return known }
      if references.count >= Self.most { references.removeAll(keepingCapacity: true) }
      // The digest of one object does not depend on the order.
      let digest = SeedDigest.of(digests, isOrdered: true)
      references[digests[0]] = digest
      return digest
    }

    private mutating func digests(of targets: [PlannedRecord.Target], hashes: some Collection<KeyHash>) -> [UInt64] {
      zip(targets.lazy.compactMap(\.naturalKey), hashes).map { key, hash in
        if let known = objects[hash] { return known }
        if objects.count >= Self.most { objects.removeAll(keepingCapacity: true) }
        let digest = SeedDigest.of(key)
        objects[hash] = digest
        return digest
      }
    }
  }

#endif
