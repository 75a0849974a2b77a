import CoreData

/// The result of a change.
package struct SavedChange: Sendable, Equatable {
  /// The ID of the note, also after its deletion.
  package var note: NoteID
  /// The name that can undo the change for a limited time; nil if nothing has changed.
  package var undo: String?
}

// Each change has its own context with an undo manager. The context is kept to undo the change. No other
// request of this process can save between a change's reads and its save.
extension NoteStore {
  /// Makes a note.
  ///
  /// - Throws: `NoteFailure`.
  package func create(_ draft: NoteDraft) async throws -> SavedChange {
    try await change(.creation) { context in
      // The form is checked first, so that no note has to be removed if it is invalid.
      let values = try NoteValues(draft, in: context)
      let note = Note(context: context)
      values.apply(to: note)
      return note
    }
  }

  /// Changes a note.
  ///
  /// - Parameter revision: The revision of the note that the person has edited.
  /// - Throws: `NoteFailure`.
  package func edit(_ id: NoteID, _ draft: NoteDraft, from revision: String) async throws -> SavedChange {
    try await change(.edit) { context in
      let note = try context.note(id, at: revision)
      try NoteValues(draft, in: context).apply(to: note)
      return note
    }
  }

  /// Deletes a note.
  ///
  /// - Parameter revision: The revision of the note that the person has seen.
  /// - Throws: `NoteFailure`.
  package func delete(_ id: NoteID, from revision: String) async throws -> SavedChange {
    try await change(.deletion) { context in
      let note = try context.note(id, at: revision)
      context.delete(note)
      return note
    }
  }

  /// Undoes a change.
  ///
  /// A deleted note is created again with its text, its category and its tags. It has another ID, because its
  /// object is new.
  ///
  /// - Returns: The ID of the note; nil if its creation was undone.
  /// - Throws: `NoteFailure.cannotUndo`, also if the note was changed again since.
  package func undo(_ name: String) async throws -> NoteID? {
    guard let change = undoable.take(name) else { throw NoteFailure.cannotUndo }
    let context = change.context
    do {
      return try await context.performWrite(deadline: .now + Self.patience) {
        // The restored note's categories and tags may have changed since.
        context.refreshAllObjects()
        let present = try context.note(change.note).map(NoteDetails.init)
        guard present?.revision == change.revision else { throw NoteFailure.cannotUndo }
        context.undoManager?.undo()
        let note = (context.insertedObjects.union(context.updatedObjects)).first { $0 is Note } as? Note
        do {
          try context.save()
        } catch {
          // Another program has changed the note or its category or tags at the same moment.
          throw NoteFailure.cannotUndo
        }
        return note?.noteID
      }
    } catch let error as CocoaError where error.code == .persistentStoreTimeout {
      undoable.putBack(change)
      throw NoteFailure.busy
    }
  }

  private func change(
    _ kind: UndoableChange.Kind,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Note
  ) async throws -> SavedChange {
    let context = container.newBackgroundContext()
    context.undoManager = UndoManager()
    do {
      let (id, title, revision, isChanged) = try await context.performWrite(deadline: .now + Self.patience) {
        let note = try work(context)
        let title = note.value(forKey: "title") as? String ?? ""
        let isChanged = context.hasChanges
        try context.save()
        guard let id = note.noteID else { throw NoteFailure.notFound }
        return (id, title, kind == .deletion ? nil : NoteDetails(note).revision, isChanged)
      }
      guard isChanged else { return SavedChange(note: id) }
      let change = UndoableChange(kind: kind, context: context, note: id, title: title, revision: revision)
      return SavedChange(note: id, undo: undoable.add(change))
    } catch let error as CocoaError {
      throw await failure(error)
    }
  }

  /// Converts an error of Core Data to a failure that the pages can show.
  private func failure(_ error: CocoaError) async -> any Error {
    if error.code == .persistentStoreTimeout { return NoteFailure.busy }
    if error.code == .managedObjectMerge {
      // Another program has saved first. Only a new context sees its values.
      guard let id = error.conflictingNote else { return NoteFailure.busy }
      do {
        return NoteFailure.changed(try await note(id))
      } catch NoteFailure.notFound {
        return NoteFailure.deleted
      } catch {
        return error
      }
    }
    let errors = error.fieldErrors
    return errors.isEmpty ? error : NoteFailure.invalid(errors)
  }
}

extension NSManagedObjectContext {
  /// Fetches a note to change.
  ///
  /// - Throws: `NoteFailure` if the note was deleted or differs from the version that the person has seen.
  fileprivate func note(_ id: NoteID, at revision: String) throws -> Note {
    guard let note = try note(id) else { throw NoteFailure.deleted }
    let details = NoteDetails(note)
    guard details.revision == revision else { throw NoteFailure.changed(details) }
    return note
  }
}
