/// A change of an object in the history.
struct ChangeFields: TemplateFields {
  let kind, changedName, changedEntity, changedKey, changedHistory: String
  let changedAddress, properties, left: String?
}
