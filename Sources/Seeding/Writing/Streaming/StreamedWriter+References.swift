#if !canImport(Darwin)
  import CoreData

  extension StreamedWriter {
    /// Sets a relationship of an object.
    /// - Parameters:
    ///   - members: The objects that the record names.
    ///   - number: The position of the reference in the record.
    ///   - place: The position of the record in the chunk.
    /// - Returns: True when the object was in the store, and was changed.
    func write(
      _ members: [NSManagedObject],
      number: Int,
      ofRecordAt place: Int,
      chunk: inout StreamedChunk
    ) throws -> Bool {
      let (item, object) = (chunk.items[place], chunk.objects[place])
      let reference = item.record.references[number]
      let relationship = reference.relationship
      if chunk.outcomes[place] == .created {
        let members = changing(members, number: number, of: object, item: item)
        try checkClaims(members, reference: reference, of: object, item: item)
        ObjectWriting.setNew(members, for: relationship, of: object)
        addClaims(members, reference: reference, of: object, item: item)
        return false
      }
      var update = RecordUpdate(record: item.record, object: object, ledger: ledger, contents: contents)
      // A change that is merged is done once.
      guard reference.removals == nil || update.applies(members, for: reference) else {
        item.unapplied.insert(number)
        return false
      }
      let members = changing(members, number: number, of: object, item: item)
      defer {
        if !item.unapplied.contains(number) { addClaims(members, reference: reference, of: object, item: item) }
      }
      let decision = ReferenceDecision.decide(
        isSame: ObjectWriting.isSame(members, for: relationship, of: object),
        applies: !reference.lacksOwner(members)
          && (reference.removals != nil || update.applies(members, for: reference)),
        // A seed that the store has already may have stated the link from the other side.
        removesUnreadLinks: leavesOutUnchanged && reference.isManyToMany && reference.removals == nil
          && !ObjectWriting.removed(from: relationship, of: object, by: members).isEmpty
      )
      // Another record of the run may have taken a member. Only all records together distinguish
      // this from a user's change.
      if !update.conflicts.isEmpty, claims.isSaidFromBothSides(relationship) { throw SeedRestart.asWhole }
      chunk.conflicts += update.conflicts
      switch decision {
      case .keep: return false
      case .leave:
        item.unapplied.insert(number)
        return false
      case .readUnchangedSeeds: throw SeedRestart.withUnchangedSeeds
      case .write: break
      }
      try checkClaims(members, reference: reference, of: object, item: item)
      try leaveOut(members, reference: reference, of: object, item: item, chunk: &chunk)
      ObjectWriting.put(members, for: relationship, of: object)
      return true
    }

    /// Notes the members that are removed from a relationship.
    private func leaveOut(
      _ members: [NSManagedObject],
      reference: PlannedRecord.Reference,
      of object: NSManagedObject,
      item: StreamedItem,
      chunk: inout StreamedChunk
    ) throws {
      let inverse = reference.relationship.inverseRelationship
      guard reference.owns || inverse?.isOptional == false else { return }
      let removed = ObjectWriting.removed(from: reference.relationship, of: object, by: members)
      if inverse?.isOptional == false {
        for member in removed { chunk.removers[ObjectIdentifier(member)] = item }
      }
      guard reference.owns else { return }
      // Only all records together decide whether a user's change stays.
      if seeder.mode == .merge,
        removed.contains(where: { ledger.conflict(deleting: $0, naturalKeys: indexes.naturalKeys) != nil })
      {
        throw SeedRestart.asWhole
      }
      chunk.leftOut.formUnion(removed.map(ObjectIdentifier.init))
      owned.leaveOut(removed, of: reference, naturalKeys: indexes.naturalKeys)
    }

    private func checkClaims(
      _ members: [NSManagedObject],
      reference: PlannedRecord.Reference,
      of object: NSManagedObject,
      item: StreamedItem
    ) throws {
      guard
        let contradiction = claims.contradiction(setting: members, for: reference.relationship, of: object)
      else { return }
      throw StreamedContradiction(
        contradiction: contradiction,
        reference: reference,
        item: item,
        naturalKeys: indexes.naturalKeys
      )
    }

    /// The members of a relationship after a reference has added and removed some, or the given ones where it sets all.
    private func changing(
      _ members: [NSManagedObject],
      number: Int,
      of object: NSManagedObject,
      item: StreamedItem
    ) -> [NSManagedObject] {
      let reference = item.record.references[number]
      guard reference.removals != nil else { return members }
      return ObjectWriting.changing(
        ObjectWriting.members(reference.relationship, of: object),
        adding: members,
        removing: item.removals(ofReference: number).compactMap(objects.removal)
      )
    }

    private func addClaims(
      _ members: [NSManagedObject],
      reference: PlannedRecord.Reference,
      of object: NSManagedObject,
      item: StreamedItem
    ) {
      let isWhole = reference.removals == nil
      claims.add(members, for: reference.relationship, of: object, isWhole: isWhole, record: item.number)
    }

    /// Records the chunk's claims on relationships, by the current primary keys of its objects.
    func recordClaims(_ chunk: StreamedChunk) throws {
      for (item, object) in zip(chunk.items, chunk.objects) {
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        for (number, reference) in item.record.references.enumerated() {
          // Relationships that are set later are also recorded later.
          guard item.destinations[number] != nil, !item.unapplied.contains(number) else { continue }
          claims.record(reference.relationship, ofObject: key, isWhole: reference.removals == nil) {
            ObjectWriting.members(reference.relationship, of: object)
          }
        }
      }
      claims.forgetRecords()
    }
  }
#endif
