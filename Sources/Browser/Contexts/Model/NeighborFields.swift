/// A neighbor of an entity in the diagram.
struct NeighborFields: TemplateFields {
  let neighborName, neighborAddress, neighborWords: String
}
