/// An entity in the filter of the history.
struct HistoryEntityFields: TemplateFields {
  let entityChoice, entityValue: String
  let entityIsCurrent: Bool
}
