/// An object that a relationship leads to.
struct RelatedObjectFields: TemplateFields {
  let objectTitle, objectAddress: String
  let objectPlace, objectEntity, objectNote, objectMark: String?
}
