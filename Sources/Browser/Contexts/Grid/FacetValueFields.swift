/// The count of a property's value.
struct FacetValueFields: TemplateFields {
  let valueLabel, valueCount, valueShare: String
  let valueAddress: String?
}
