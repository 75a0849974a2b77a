#if !canImport(Darwin)
  import CoreData

  extension StreamedWriter {
    /// Sets a relationship of an object.
    /// - Parameters:
    ///   - members: The objects that the record names.
    ///   - number: The place of the reference among those of the record.
    ///   - place: The place of the record in the chunk.
    /// - Returns: True when the object was in the store, and was changed.
    func write(
      _ members: [NSManagedObject],
      _ number: Int,
      ofRecordAt place: Int,
      _ chunk: inout StreamedChunk
    ) throws -> Bool {
      let (item, object) = (chunk.items[place], chunk.objects[place])
      let reference = item.record.references[number]
      let relationship = reference.relationship
      var members = members
      if reference.removals != nil {
        let removed = item.removals(ofReference: number).compactMap(objects.removal)
        let present = ObjectWriting.members(relationship, of: object)
        members = ObjectWriting.changing(present, adding: members, removing: removed)
      }
      defer {
        if !item.unapplied.contains(number) {
          let isWhole = reference.removals == nil
          claims.add(members, for: relationship, of: object, isWhole: isWhole, record: item.number)
        }
      }
      if item.present == nil {
        try checkClaims(members, reference, of: object, item)
        ObjectWriting.setNew(members, for: relationship, of: object)
        return false
      }
      guard !ObjectWriting.isSame(members, for: relationship, of: object) else { return false }
      var update = RecordUpdate(item.record, object, account)
      let applies = update.applies(members, for: reference)
      chunk.conflicts += update.conflicts
      guard applies else {
        item.unapplied.insert(number)
        return false
      }
      try checkClaims(members, reference, of: object, item)
      chunk.recordRemovals(members, relationship, of: object, item)
      ObjectWriting.put(members, for: relationship, of: object)
      return true
    }

    private func checkClaims(
      _ members: [NSManagedObject],
      _ reference: PlannedRecord.Reference,
      of object: NSManagedObject,
      _ item: StreamedItem
    ) throws {
      guard
        let contradiction = claims.contradiction(
          setting: members,
          for: reference.relationship,
          of: object
        )
      else { return }
      throw StreamedContradiction(contradiction, reference, item, indexes.naturalKeys)
    }

    /// Records what the chunk has said of relationships, by the primary keys that its objects have
    /// now.
    func recordClaims(_ chunk: StreamedChunk) throws {
      for (item, object) in zip(chunk.items, chunk.objects) {
        guard let key = NSManagedObjectID.primaryKey(of: object) else { continue }
        for (number, reference) in item.record.references.enumerated() {
          // What is set later is said later.
          guard item.destinations[number] != nil, !item.unapplied.contains(number) else { continue }
          guard let inverse = RelationshipClaims.contradictable(reference.relationship) else { continue }
          if reference.removals == nil { claims.record(reference.relationship, ofObject: key) }
          guard !inverse.isToMany else { continue }
          for member in ObjectWriting.members(reference.relationship, of: object) {
            guard let key = NSManagedObjectID.primaryKey(of: member) else { continue }
            claims.record(inverse, ofObject: key)
          }
        }
      }
      claims.forgetRecords()
    }
  }

  extension StreamedChunk {
    fileprivate mutating func recordRemovals(
      _ members: [NSManagedObject],
      _ relationship: NSRelationshipDescription,
      of object: NSManagedObject,
      _ item: StreamedItem
    ) {
      guard relationship.inverseRelationship?.isOptional == false else { return }
      let remaining = Set(members.map(ObjectIdentifier.init))
      for member in ObjectWriting.members(relationship, of: object)
      where !remaining.contains(ObjectIdentifier(member)) {
        removers[ObjectIdentifier(member)] = item
      }
    }
  }
#endif
