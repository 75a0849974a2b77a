/// A recent predicate of a grid.
struct PredicateUseFields: TemplateFields {
  let useText, useAddress: String
}
