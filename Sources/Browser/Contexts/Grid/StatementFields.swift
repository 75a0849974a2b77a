/// The duration of a grid's reading, its statement and its plan.
struct StatementFields: TemplateFields {
  let milliseconds: String
  let sql, bindings, plan: String?
}
