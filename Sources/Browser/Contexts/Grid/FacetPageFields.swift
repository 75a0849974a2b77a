/// The counts of a grid's objects by the values of a property, as a page and as a part for a script.
struct FacetPageFields: PageFields {
  static let template = "facetpage"
  static let part = "facet"
  let entityName, entityAddress, gridAddress, facetProperty, facetTotal, facetWords: String
  let facetPredicate: String?
  let chart: EscapedText?
  let scope: ScopeFields?
  let values: [FacetValueFields]
}
