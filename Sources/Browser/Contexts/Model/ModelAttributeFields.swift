/// An attribute on the model's page.
struct ModelAttributeFields: TemplateFields {
  let attributeName, attributeType, rules: String
}
