/// A subentity of an abstract entity.
struct SubentityFields: TemplateFields {
  let subentityName, subentityAddress: String
}
