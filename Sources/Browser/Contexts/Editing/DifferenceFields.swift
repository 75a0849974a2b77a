/// A staged change of a property.
struct DifferenceFields: TemplateFields {
  let differenceName: String
  var untold: String?
  var isValue = false, isMembers = false, isReordered = false
  var before, after: StagedValueFields?
  var added: [StagedValueFields] = [], removed: [StagedValueFields] = []
}
