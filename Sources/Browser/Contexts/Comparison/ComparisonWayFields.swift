/// The number of an entity's objects with one kind of difference.
struct ComparisonWayFields: TemplateFields {
  let wayCount, wayTitle: String
  let wayAddress: String?
}
