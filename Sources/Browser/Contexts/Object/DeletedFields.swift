/// An object that would be deleted.
struct DeletedFields: TemplateFields {
  let deletedName, deletedAddress, deletedEntity: String
  let deletedBy: String?
}
