/// The result of the comparison for an entity.
struct ComparisonRowFields: TemplateFields {
  let name, entityAddress, same: String
  let ambiguous, matching: String?
  let ways: [ComparisonWayFields]
}
