/// A staged change of a property.
struct DifferenceFields: TemplateFields {
  let differenceName: String
  var untold, untoldOrder: String?
  var isValue = false, isMembers = false
  var before, after: StagedValueFields?
  var added: [StagedValueFields] = [], removed: [StagedValueFields] = [], order: [StagedValueFields] = []
}
