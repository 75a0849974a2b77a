import CoreData

extension CocoaError {
  /// The errors of the model's validation, by field; empty for other errors.
  var fieldErrors: [FieldError] {
    guard code == .validationMultipleErrors else { return fieldError.map { [$0] } ?? [] }
    let errors = userInfo[NSDetailedErrorsKey] as? [any Error] ?? []
    var seen: Set<FieldError> = []
    return errors.compactMap { ($0 as? CocoaError)?.fieldError }.filter { seen.insert($0).inserted }
  }

  private var fieldError: FieldError? {
    guard let key = userInfo[NSValidationKeyErrorKey] as? String else { return nil }
    switch key {
    case "title" where code == .validationMissingMandatoryProperty:
      return FieldError(.title, "A note needs a title.")
    case "title":
      return FieldError(.title, "A title has at most \(NotesModel.titleLength) characters; shorten it.")
    case "contents":
      return FieldError(.contents, "A note has at most \(NotesModel.contentsLength) characters; shorten it.")
    case "name":
      return FieldError(.tags, "A tag has at most \(NotesModel.tagLength) characters; shorten it.")
    default: return nil
    }
  }

  /// The note of an optimistic locking conflict.
  var conflictingNote: NoteID? {
    let conflicts = userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    return conflicts.lazy.compactMap { ($0.sourceObject as? Note)?.noteID }.first
  }
}
