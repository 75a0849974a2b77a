/// The page on which users choose the columns of a grid.
struct ColumnsPageFields: PageFields {
  static let template = "columns"
  let entityName, gridAddress, standardAddress, columnsAddress: String
  let shownColumns, hiddenColumns: [ColumnChoiceFields]
  let gridItems: [FormItemFields]
}
