/// An attribute on an object's page.
struct AttributeFields: TemplateFields {
  let attributeName, attributeType: String
  let valueProblem: String?
  let isTransient, isDerived: Bool
  var value: EscapedText?
  var saved: StagedValueFields?
  var filters: ValueFiltersFields?
}
