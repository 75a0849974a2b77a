/// The head of a grid's column.
struct GridColumnFields: TemplateFields {
  let columnName, columnType, menuAddress: String
  let sortAddress, ariaSort, sortMark, columnClass: String?
}
