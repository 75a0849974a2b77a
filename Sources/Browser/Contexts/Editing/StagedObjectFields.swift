/// An object with staged changes.
struct StagedObjectFields: TemplateFields {
  let stagedName, stagedEntity, stagedAddress: String
  let isTakenAlong, isDeletion: Bool
  let differences: [DifferenceFields]
}
