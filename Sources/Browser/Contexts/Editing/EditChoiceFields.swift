/// A value that a form offers.
struct EditChoiceFields: TemplateFields {
  let choiceValue, choiceName: String
  let isChosen: Bool
}
