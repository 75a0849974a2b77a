/// An entity that the diagram can show alone.
struct DiagramChoiceFields: TemplateFields {
  let choiceName, choiceValue: String
  let choiceIsCurrent: Bool
}
