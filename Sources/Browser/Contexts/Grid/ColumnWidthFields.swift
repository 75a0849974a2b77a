/// A width that a column can have.
struct ColumnWidthFields: TemplateFields {
  let width: String
  let widthIsCurrent: Bool
}
