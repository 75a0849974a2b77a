/// The object whose history is shown.
struct HistoryObjectFields: TemplateFields {
  let objectWords, objectAddress: String
}
