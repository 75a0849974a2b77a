/// A relationship in the page of a form.
struct EditRelationshipFields: TemplateFields {
  let relationshipName, relationshipMark, relationshipAddress, destinationName, relatedCount: String
  let fixedBecause, untold: String?
  let isToMany, isOrdered, isNobody, canChoose, canClear: Bool
  let destinations: [EditDestinationFields]
}
