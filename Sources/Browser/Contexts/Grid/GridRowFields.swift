/// A row of a grid.
struct GridRowFields: TemplateFields {
  let rowAddress, rowAnchor, rowKey: String
  let rowPlace, rowEntity, rowMark: String?
  let cells: [GridCellFields]
}
