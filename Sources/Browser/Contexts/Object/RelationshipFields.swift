/// A relationship on an object's page, or a relationship without an inverse that leads to the object.
struct RelationshipFields: TemplateFields {
  let relationshipName, ownerName, destinationName, destinationAddress, deleteRule, relatedCount: String
  let inverseName, allAddress, gridAddress, relatedProblem: String?
  var stagedUntold: String?
  let isToMany, isOrdered: Bool
  var isNobody = false, isReordered = false
  var saved: StagedValueFields?
  var objects: [RelatedObjectFields] = []
}
