/// An entity on the model's page.
struct ModelEntityFields: TemplateFields {
  let anchor, name, entityAddress, className, hash: String
  let parent, parentAddress, constraints, indexes: String?
  let isAbstract: Bool
  let attributes: [ModelAttributeFields]
  let relationships: [ModelRelationshipFields]
}
