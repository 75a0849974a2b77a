/// The page on which the user looks for a relationship's destination.
struct RelatePageFields: PageFields {
  static let template = "relate"
  let title, entityName, entityAddress, editAddress, relationshipName, destinationName, action: String
  let search, verb, verbName, creationAddress: String
  let fixedBecause, previousPage, nextPage: String?
  let hasSearch, isSearchable, hasPages: Bool
  let candidates: [CandidateFields]
}
