/// The parts that every page has: its head, the tabs, the list of entities and the notices.
struct FrameFields: TemplateFields {
  let pageTitle, storeName, home, style, icon, findingStyle, changes: String
  let writingStyle, formToken, linkAddress, sideCounts: String?
  let isWriting, hasOtherModel: Bool
  let strip: StripFields?
  let sidebar: [SidebarFields]
  let scripts: [String]
  let tabs: [TabFields]
}
