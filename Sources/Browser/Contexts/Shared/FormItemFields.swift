/// An item of a grid's address that a form keeps.
struct FormItemFields: TemplateFields {
  let gridItemName, gridItemValue: String
}
