/// The page of a grid's column, and its part that a script shows in the grid.
struct ColumnPageFields: PageFields {
  static let template = "columnpage"
  static let part = "column"
  let entityName, gridAddress, columnName, columnValue, filterAddress, columnsAddress, value, least: String
  let most, inputType: String
  let inputMode, ascending, descending, facetAddress, problem: String?
  let isText, isRange, isBoolean, isIdentifier, isDate: Bool
  let gridItems: [FormItemFields]
}
