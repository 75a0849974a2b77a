/// Why something that a person asked for was not done.
package enum NoteFailure: Error, Equatable {
  /// There is no such note.
  case notFound
  /// Values break rules of the model; the form shows each at its field.
  case invalid([FieldError])
  /// Somebody else has changed the note since the person looked at it.
  case changed(NoteDetails)
  /// Somebody else has deleted the note since the person looked at it.
  case deleted
  /// The change was undone already, is too long ago, or others have built upon it.
  case cannotUndo
  /// Others write to the store; the same request may succeed later.
  case busy
}

/// A rule that the value of a field breaks.
package struct FieldError: Error, Hashable, Sendable {
  /// The fields, in the order of the form.
  package enum Field: String, Sendable, CaseIterable {
    case title, contents, day, category, tags
  }

  package var field: Field
  /// A whole sentence for the person.
  package var message: String

  package init(_ field: Field, _ message: String) {
    self.field = field
    self.message = message
  }
}
