/// A file format for a grid's rows.
struct ExportFields: TemplateFields {
  let exportName, exportAddress: String
}
