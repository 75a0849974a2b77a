/// An error in a form.
struct FieldProblemFields: TemplateFields {
  let problemName, problemWords: String
  let problemPlace: String?
}
