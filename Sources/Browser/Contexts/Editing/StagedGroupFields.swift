/// The staged changes of one kind.
struct StagedGroupFields: TemplateFields {
  let groupTitle, groupCount: String
  let objects: [StagedObjectFields]
}
