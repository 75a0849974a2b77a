/// The body of a form. What a browser leaves out is not there.
struct NoteForm: Decodable {
  var token: String?
  /// That of the note that the form was made of.
  var revision: String?
  var title: String?
  var contents: String?
  var day: String?
  var category: String?
  /// Tags that were chosen.
  var tags: [String]?
  /// Tags that were typed, with commas between them.
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
