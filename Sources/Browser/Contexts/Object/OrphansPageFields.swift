/// The page of an entity's unreferenced objects.
struct OrphansPageFields: PageFields {
  static let template = "orphans"
  let entityName, entityAddress, most: String
  let gridAddress: String?
  let isReferable, hasMore: Bool
  let objects: [OrphanFields]
  let relationships: [String]
}
