/// The line with the number of staged changes.
struct StripFields: TemplateFields {
  let stripCount, editsAddress, undoAddress, redoAddress: String
  let waitingSaveAddress, conflictsAddress, undone, redone: String?
  let hasStaged, isOneChange: Bool
}
