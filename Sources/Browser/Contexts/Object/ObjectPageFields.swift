/// The page of an object.
struct ObjectPageFields: PageFields {
  static let template = "object"
  let title, key, uri, deletion, seed: String
  var upAddress: String = "", upName: String = ""
  let edit, objectHistory: String?
  var upWords, previousObject, nextObject, map: String?
  var hasNeighbors = false
  let notSaved: StagedObjectFields?
  let attributes: [AttributeFields]
  let parents: [ParentFields]
  let related, references: [RelationshipFields]
}
