/// A value or an object's name in a staged change.
struct StagedValueFields: TemplateFields {
  var valueText, valueAddress, savedWhole: String?
  var valueIsNone = false
}
