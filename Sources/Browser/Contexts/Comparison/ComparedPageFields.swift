/// The page of an entity's objects with one kind of difference.
struct ComparedPageFields: PageFields {
  static let template = "compared"
  let entityName, otherName, comparisonAddress, wayTitle, total: String
  let listed, pageWords, previousPage, nextPage: String?
  let isOne, hasPages: Bool
  let objects: [ComparedLineFields]
}
