/// The changes of an entity.
struct ModelGroupFields: TemplateFields {
  let groupName: String
  let groupAddress: String?
  let changed: [ModelChangeFields]
}
