/// The body of a form. Fields that a browser omits are nil.
struct NoteForm: Decodable {
  var token: String?
  /// The revision of the note when the form was made.
  var revision: String?
  var title: String?
  var contents: String?
  var day: String?
  var category: String?
  /// The chosen tags.
  var tags: [String]?
  /// The typed tags, separated by commas.
  var otherTags: String?

  var draft: NoteDraft {
    var draft = NoteDraft()
    draft.title = title ?? ""
    draft.contents = contents ?? ""
    draft.day = day ?? ""
    draft.category = category ?? ""
    draft.tags = (tags ?? []) + (otherTags ?? "").split(separator: ",").map(String.init)
    return draft.cleaned
  }
}
