/// An ancestor of an object's entity.
struct ParentFields: TemplateFields {
  let parentName, parentAddress: String
}
