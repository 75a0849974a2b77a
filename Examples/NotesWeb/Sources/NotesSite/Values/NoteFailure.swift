/// Why a request was not fulfilled.
package enum NoteFailure: Error, Equatable {
  /// The note does not exist.
  case notFound
  /// Values violate rules of the model. The form shows each error at its field.
  case invalid([FieldError])
  /// The note was changed since the person looked at it.
  case changed(NoteDetails)
  /// The note was deleted since the person looked at it.
  case deleted
  /// The change was already undone, is too old, or later changes depend on it.
  case cannotUndo
  /// Other writers keep the store busy. The same request may succeed later.
  case busy
}

/// A field whose value violates a rule.
package struct FieldError: Error, Hashable, Sendable {
  /// The fields, in the order of the form.
  package enum Field: String, Sendable, CaseIterable {
    case title, contents, day, category, tags
  }

  package var field: Field
  /// A complete sentence for the person.
  package var message: String

  package init(_ field: Field, _ message: String) {
    self.field = field
    self.message = message
  }
}
