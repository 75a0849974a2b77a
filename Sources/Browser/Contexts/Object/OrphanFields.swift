/// An unreferenced object.
struct OrphanFields: TemplateFields {
  let objectTitle, objectAddress: String
  let objectNote: String?
}
