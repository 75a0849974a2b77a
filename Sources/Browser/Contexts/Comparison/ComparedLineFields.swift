/// An object that differs between two stores.
struct ComparedLineFields: TemplateFields {
  let objectName, objectAddress: String
  let properties, formerName: String?
  let isGone, isSameByNow: Bool
}
