/// An entity in the list next to a page.
struct SidebarFields: TemplateFields {
  let sideName, sideAddress, sideDepth, sideKey: String
  let sideCount: String?
  let sideIsCurrent: Bool
}
