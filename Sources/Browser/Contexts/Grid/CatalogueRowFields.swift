/// An entity on the page of all entities.
struct CatalogueRowFields: TemplateFields {
  let name, entityAddress, modelAddress, depth, countAddress, attributes, relationships: String
  let parent, count: String?
  let isAbstract: Bool
}
