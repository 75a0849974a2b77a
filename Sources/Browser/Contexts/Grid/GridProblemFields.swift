/// An error in a predicate, and the text around its position.
struct GridProblemFields: TemplateFields {
  let problemText: String
  var position: String?
  var textBefore = "", textWrong = "", textAfter = ""
}
