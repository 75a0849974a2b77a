/// The page of all entities.
struct CataloguePageFields: PageFields {
  static let template = "catalogue"
  let entityCount: String
  let found, seedAddress, allCounts: String?
  let isOneEntity, isNothingFound: Bool
  let rows: [CatalogueRowFields]
}
