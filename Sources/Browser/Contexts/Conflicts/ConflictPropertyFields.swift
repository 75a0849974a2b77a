/// A property of an object with a conflict.
struct ConflictPropertyFields: TemplateFields {
  let propertyName, sideName: String
  let isDecided, isMineChosen, isTheirsChosen, isContested: Bool
  let base, mine, theirs: StagedValueFields
}
