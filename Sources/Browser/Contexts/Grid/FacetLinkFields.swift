/// A link from a grid to the counts by a property.
struct FacetLinkFields: TemplateFields {
  let facetName, facetAddress: String
}
