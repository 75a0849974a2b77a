/// The objects that share the same values.
struct DuplicateGroupFields: TemplateFields {
  let groupCount: String
  let groupAddress: String?
  let groupValues: [String]
}
