/// The page with the form of an object or of a new object.
struct EditPageFields: PageFields {
  static let template = "edit"
  let title, entityName, entityAddress, action: String
  let refusal: String?
  var objectAddress, deletionAddress: String?
  let isNew, isCreation, isEditable: Bool
  var deletesAtOnce = false, isAbstract = false
  let fields: [EditFieldFields]
  let problems: [FieldProblemFields]
  var relationships: [EditRelationshipFields] = []
  var subentities: [SubentityFields] = []
}
