/// An error in a predicate, and the text around its position.
struct GridProblemFields: TemplateFields {
  let problemText: String
  var position, textBefore, textWrong, textAfter: String?
  let hasPosition: Bool
}
