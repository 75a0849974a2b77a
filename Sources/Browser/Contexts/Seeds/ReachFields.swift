/// A choice of the objects that a seed contains.
struct ReachFields: TemplateFields {
  let reachName, reachAddress, reachWords: String
  let reachCount: String?
  let isChosen: Bool
}
