/// A conflict between staged and saved changes of an object.
struct ConflictFields: TemplateFields {
  let conflictName, conflictEntity, conflictWords: String
  let conflictAddress: String?
  let needsEdit, isGone, hasProperties: Bool
  let properties: [ConflictPropertyFields]
  let wholes: [ConflictSideFields]
}
