/// A relationship on the model's page.
struct ModelRelationshipFields: TemplateFields {
  let relationshipName, relationshipKind, destination, destinationAddress, deleteRule, rules: String
  let inverse: String?
}
