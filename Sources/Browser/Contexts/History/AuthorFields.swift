/// An author in the filter of the history.
struct AuthorFields: TemplateFields {
  let authorName, authorValue: String
  let authorIsCurrent: Bool
}
