/// An attribute in a form.
struct EditFieldFields: TemplateFields {
  let index, fieldName, fieldType, fieldText: String
  let rules, stamp, problemWords: String?
  var reason, shownText, zone, localDate, inputMode, minimum, maximum, rows: String?
  let isRequired: Bool
  var isLine = false, isNumber = false, isDate = false, isText = false, isBoolean = false, isShown = false
  var isClearable = false, isCleared = false, isCode = false, isEmptyText = false
  var choices: [EditChoiceFields] = []
}
