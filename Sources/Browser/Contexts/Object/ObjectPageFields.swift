/// The page of an object.
struct ObjectPageFields: PageFields {
  static let template = "object"
  let title, key, uri, deletion, seed, upAddress, upName: String
  let edit, objectHistory, upWords, previousObject, nextObject, map: String?
  let hasRelationships, hasReferences, hasNeighbors: Bool
  let notSaved: StagedObjectFields?
  let attributes: [AttributeFields]
  let parents: [ParentFields]
  let related, references: [RelationshipFields]
}
