import CoreData

/// What a change leaves behind.
package struct SavedChange: Sendable, Equatable {
  /// The note; after a deletion the one that it was.
  package var note: NoteID
  /// The name under which the change can be taken back for a while; nil where nothing has changed.
  package var undo: String?
}

// Every change is made in a context of its own with an undo manager, which is kept to take the change back.
// Between what a change reads and what it saves no other request of this process saves.
extension NoteStore {
  /// Makes a note.
  ///
  /// - Throws: `NoteFailure`.
  package func create(_ draft: NoteDraft) async throws -> SavedChange {
    try await change(.creation) { context in
      // What is wrong with the form is known before there is a note that would have to be taken away.
      let values = try NoteValues(draft, in: context)
      let note = Note(context: context)
      values.apply(to: note)
      return note
    }
  }

  /// Changes a note.
  ///
  /// - Parameter revision: That of the note which the person has changed.
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
  /// - Parameter revision: That of the note which the person has seen.
  /// - Throws: `NoteFailure`.
  package func delete(_ id: NoteID, from revision: String) async throws -> SavedChange {
    try await change(.deletion) { context in
      let note = try context.note(id, at: revision)
      context.delete(note)
      return note
    }
  }

  /// Takes a change back.
  ///
  /// A note that was deleted comes back with its text, its category and its tags, under another name: its object
  /// is a new one.
  ///
  /// - Returns: The note; nil when its creation was taken back.
  /// - Throws: `NoteFailure.cannotUndo`, also when somebody has changed the note again since.
  package func undo(_ name: String) async throws -> NoteID? {
    guard let change = undoable.take(name) else { throw NoteFailure.cannotUndo }
    let context = change.context
    do {
      return try await context.performWrite(deadline: .now + Self.patience) {
        // The categories and tags that the note comes back to may have changed since.
        context.refreshAllObjects()
        let present = try context.note(change.note).map(NoteDetails.init)
        guard present?.revision == change.revision else { throw NoteFailure.cannotUndo }
        context.undoManager?.undo()
        let note = (context.insertedObjects.union(context.updatedObjects)).first { $0 is Note } as? Note
        do {
          try context.save()
        } catch {
          // Another program has changed the note, or what belongs to it, in this very moment.
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

  /// Tells of an error of Core Data as the pages know it.
  private func failure(_ error: CocoaError) async -> any Error {
    if error.code == .persistentStoreTimeout { return NoteFailure.busy }
    if error.code == .managedObjectMerge {
      // Another program was faster; what it has saved is seen in a context that has read nothing yet.
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
  /// Fetches a note that is to be changed.
  ///
  /// - Throws: `NoteFailure` when it is another one than the person has seen, or gone.
  fileprivate func note(_ id: NoteID, at revision: String) throws -> Note {
    guard let note = try note(id) else { throw NoteFailure.deleted }
    let details = NoteDetails(note)
    guard details.revision == revision else { throw NoteFailure.changed(details) }
    return note
  }
}
