/// The page of all staged changes.
struct EditsPageFields: PageFields {
  static let template = "edits"
  let allChanges, saveAddress, discardAddress: String
  let news, newOf, untold: String?
  var savedUntold: String?
  let isEmpty, hasStaged: Bool
  var savedObjects: [SavedObjectFields] = []
  var savedEntities: [SubentityFields] = []
  let invalid: [InvalidValueFields]
  let groups: [StagedGroupFields]
}
