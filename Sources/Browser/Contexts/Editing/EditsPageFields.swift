/// The page of all staged changes.
struct EditsPageFields: PageFields {
  static let template = "edits"
  let allChanges, saveAddress, discardAddress: String
  let news, newOf, untold: String?
  let isEmpty, hasStaged: Bool
  let invalid: [InvalidValueFields]
  let groups: [StagedGroupFields]
}
