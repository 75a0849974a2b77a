/// A tab in the head of a page.
struct TabFields: TemplateFields {
  let tabName, tabAddress: String
  let tabIsCurrent, tabIsEmpty: Bool
}
