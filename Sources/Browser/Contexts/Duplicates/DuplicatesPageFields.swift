/// The page of the values that several objects share.
struct DuplicatesPageFields: PageFields {
  static let template = "duplicates"
  let entityName, entityAddress, duplicatesAddress, chosenWords, most: String
  let isAsked, isEmpty, hasMore: Bool
  let constraints: [ConstraintFields]
  let groups: [DuplicateGroupFields]
  let properties: [DuplicatePropertyFields]
  let columns: [String]
}
