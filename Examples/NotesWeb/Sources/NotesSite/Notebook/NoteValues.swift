import CoreData

/// The values of a form, in the types of the model.
///
/// This type checks the rules that only the form has: the text of the day and the names of categories. The
/// save checks the model's rules.
struct NoteValues {
  /// The greatest number of tags in a form.
  static let mostTags = 20

  private let draft: NoteDraft
  private let day: Date?
  private let category: Category?
  private let tags: Set<Tag>

  /// - Throws: `NoteFailure.invalid`.
  init(_ draft: NoteDraft, in context: NSManagedObjectContext) throws {
    let draft = draft.cleaned
    self.draft = draft
    var errors: [FieldError] = []
    day = NoteDay.date(draft.day)
    if day == nil {
      errors.append(FieldError(.day, "Give the day as year, month and day, such as 2024-05-09."))
    }
    category = try draft.category.isEmpty ? nil : context.category(draft.category)
    if category == nil, !draft.category.isEmpty {
      errors.append(
        FieldError(.category, "There is no category “\(draft.category)” any more. Choose another one.")
      )
    }
    if draft.tags.count > Self.mostTags {
      errors.append(
        FieldError(.tags, "A note has at most \(Self.mostTags) tags; these are \(draft.tags.count).")
      )
    }
    guard errors.isEmpty else {
      // All mistakes of a form are reported together, including violations of the model's rules.
      throw NoteFailure.invalid(errors + draft.rulesBroken(in: context))
    }
    tags = try context.tags(draft.tags)
  }

  func apply(to note: Note) {
    note.setIfChanged("title", draft.title.isEmpty ? nil : draft.title)
    note.setIfChanged("contents", draft.contents.isEmpty ? nil : draft.contents)
    note.setIfChanged("createdAt", day)
    if note.category != category { note.category = category }
    if note.tags != tags { note.tags = tags }
    if note.hasChanges { note.updatedAt = .now }
  }
}

extension NoteDraft {
  /// The model's rules that the texts violate. The context is not saved afterwards.
  fileprivate func rulesBroken(in context: NSManagedObjectContext) -> [FieldError] {
    let note = Note(context: context)
    note.setIfChanged("title", title.isEmpty ? nil : title)
    note.setIfChanged("contents", contents.isEmpty ? nil : contents)
    do {
      try note.validateForInsert()
      return []
    } catch {
      return (error as? CocoaError)?.fieldErrors ?? []
    }
  }
}

extension NSManagedObject {
  /// Sets a value only if it differs, so that an unchanged form does not change the note.
  fileprivate func setIfChanged<Value: Equatable>(_ key: String, _ value: Value?) {
    if self.value(forKey: key) as? Value != value { setValue(value, forKey: key) }
  }
}

extension NSManagedObjectContext {
  fileprivate func category(_ name: String) throws -> Category? {
    let request = NSFetchRequest<Category>(entityName: "Category")
    request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
    request.fetchLimit = 1
    return try fetch(request).first
  }

  /// Finds the tags with these names, ignoring case, and creates missing ones.
  ///
  /// Undoing the change does not delete new tags, because other notes may use them in the meantime.
  fileprivate func tags(_ names: [String]) throws -> Set<Tag> {
    var tags: Set<Tag> = []
    var missing: [String] = []
    for name in names {
      let request = NSFetchRequest<Tag>(entityName: "Tag")
      request.predicate = NSPredicate(format: "name ==[c] %@", argumentArray: [name])
      request.fetchLimit = 1
      if let tag = try fetch(request).first { tags.insert(tag) } else { missing.append(name) }
    }
    guard !missing.isEmpty else { return tags }
    processPendingChanges()
    undoManager?.disableUndoRegistration()
    for name in missing {
      let tag = Tag(context: self)
      tag.name = name
      tags.insert(tag)
    }
    processPendingChanges()
    undoManager?.enableUndoRegistration()
    return tags
  }
}
