/// A change between two models.
struct ModelChangeFields: TemplateFields {
  let mark, subject: String
  let words, reason, field, before, after: String?
}
