/// A cell of a grid.
struct GridCellFields: TemplateFields {
  let cellClass, cellFilter: String?
  var cellText, cellAddress, cellImage, cellNote, cellProblem: String?
  var cellIsNone = false
}
