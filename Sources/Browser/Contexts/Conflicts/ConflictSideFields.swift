/// A decision on a whole object.
struct ConflictSideFields: TemplateFields {
  let wholeName, wholeValue, wholeWords: String
  let isOnly: Bool
}
