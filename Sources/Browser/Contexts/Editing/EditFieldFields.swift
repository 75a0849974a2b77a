/// An attribute in a form.
struct EditFieldFields: TemplateFields {
  let index, fieldName, fieldType, fieldText, stamp: String
  let rules, problemWords: String?
  var reason, shownText, minimum, maximum: String?
  var zone = "", localDate = "", inputMode = "text", rows = ""
  let isRequired: Bool
  var isLine = false, isNumber = false, isDate = false, isText = false, isBoolean = false, isShown = false
  var isClearable = false, isCleared = false, isCode = false, isEmptyText = false
  var choices: [EditChoiceFields] = []
}
