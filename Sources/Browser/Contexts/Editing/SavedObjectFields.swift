/// An object that a save has written.
struct SavedObjectFields: TemplateFields {
  let savedName, savedEntity, savedAddress: String
}
