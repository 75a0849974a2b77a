import Foundation

/// A note on a page for reading.
struct NoteView {
  struct Tag {
    var name: String
    var address: String
  }

  var id: String
  var title: String
  var contents: String?
  var day: String?
  var date: String?
  var changedDay: String?
  var category: String?
  var categoryAddress: String?
  var color: String?
  var tags: [Tag]
  var revision: String
  var backAddress: String
  var editAddress: String
  var deleteAddress: String
  /// A message that the page shows first.
  var warning: String?

  init(_ note: NoteDetails, _ query: NoteQuery, warning: String? = nil) {
    let rest = query.address()
    id = note.id.description
    title = note.title.isEmpty ? "Without a title" : note.title
    contents = note.contents.isEmpty ? nil : note.contents
    day = note.createdAt?.formatted(PageDates.day)
    date = note.createdAt.map(NoteDay.text)
    let changed = note.updatedAt?.formatted(PageDates.day)
    changedDay = changed == day ? nil : changed
    category = note.category?.name
    categoryAddress = note.category.map { "/" + NoteQuery(category: $0.name).address() }
    color = note.category?.color
    tags = note.tags.map { Tag(name: $0, address: "/" + NoteQuery(tag: $0).address()) }
    revision = note.revision
    backAddress = "/" + rest
    editAddress = "/notes/\(id)/edit\(rest)"
    deleteAddress = "/notes/\(id)/delete\(rest)"
    self.warning = warning
  }
}

/// The form of a note, with its problems.
struct FormView {
  struct Choice {
    var id: String
    var name: String
    var color: String?
    var isChosen: Bool
  }

  struct Failure {
    var field: String
    var message: String
  }

  /// Both versions of a note in a conflict.
  struct Conflict {
    var theirs: NoteView
    var tagNames: String?
    var showAddress: String
  }

  var heading: String
  var isNew: Bool
  var action: String
  var cancelAddress: String
  var saveLabel: String
  var revision: String?
  // The names differ from those of the note's views, because a template falls back to outer values if an
  // inner value is nil.
  var draftTitle: String
  var draftContents: String
  var draftDay: String
  var categories: [Choice]
  var hasNoCategory: Bool
  var tags: [Choice]
  /// Tags that are not among the choices yet, separated by commas.
  var otherTags: String
  /// A problem of the form that does not belong to a single field.
  var notice: String?
  var conflict: Conflict?
  var errors: [Failure]
  var hasErrors: Bool
  var titleError: String?
  var contentsError: String?
  var dayError: String?
  var categoryError: String?
  var tagsError: String?
  /// True if the title has the keyboard focus first.
  var focusesTitle: Bool

  init(
    _ draft: NoteDraft,
    of id: NoteID?,
    revision: String?,
    choices: (categories: [CategoryDetails], tags: [TagDetails]),
    query: NoteQuery,
    errors: [FieldError] = [],
    conflict: NoteDetails? = nil,
    notice: String? = nil
  ) {
    let rest = query.address()
    isNew = id == nil
    heading = id == nil ? "New note" : "Edit note"
    action = id.map { "/notes/\($0)\(rest)" } ?? "/notes\(rest)"
    cancelAddress = id.map { "/notes/\($0)\(rest)" } ?? "/\(rest)"
    saveLabel = conflict == nil ? "Save" : "Save mine over it"
    self.revision = revision
    draftTitle = draft.title
    draftContents = draft.contents
    draftDay = draft.day
    categories = choices.categories.enumerated().map { index, category in
      Choice(
        id: "category-\(index)",
        name: category.name,
        color: category.color,
        isChosen: category.name == draft.category
      )
    }
    hasNoCategory = !choices.categories.contains { $0.name == draft.category }
    let chosen = Set(draft.tags.map { $0.lowercased() })
    tags = choices.tags.enumerated().map { index, tag in
      Choice(id: "tag-\(index)", name: tag.name, isChosen: chosen.contains(tag.name.lowercased()))
    }
    let known = Set(choices.tags.map { $0.name.lowercased() })
    otherTags = draft.tags.filter { !known.contains($0.lowercased()) }.joined(separator: ", ")
    self.notice = notice
    self.conflict = conflict.map { note in
      Conflict(
        theirs: NoteView(note, query),
        tagNames: note.tags.isEmpty ? nil : note.tags.joined(separator: ", "),
        showAddress: "/notes/\(note.id)\(rest)"
      )
    }
    self.errors = FieldError.Field.allCases.flatMap { field in
      errors.filter { $0.field == field }.map { Failure(field: field.rawValue, message: $0.message) }
    }
    hasErrors = !errors.isEmpty
    func message(_ field: FieldError.Field) -> String? { errors.first { $0.field == field }?.message }
    titleError = message(.title)
    contentsError = message(.contents)
    dayError = message(.day)
    categoryError = message(.category)
    tagsError = message(.tags)
    focusesTitle = errors.isEmpty && conflict == nil && notice == nil
  }
}
