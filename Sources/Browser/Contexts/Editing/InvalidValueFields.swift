/// A value that the model does not allow.
struct InvalidValueFields: TemplateFields {
  let invalidName, invalidWords: String
  let invalidAddress, invalidProperty: String?
}
