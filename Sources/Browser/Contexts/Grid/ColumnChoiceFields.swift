/// A shown or hidden column on the page of a grid's columns.
struct ColumnChoiceFields: TemplateFields {
  let columnName, columnValue, columnType: String
  let isFirst, isLast: Bool
  let widths: [ColumnWidthFields]
}
