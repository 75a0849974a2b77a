/// The page of the values that several objects share.
struct DuplicatesPageFields: PageFields {
  static let template = "duplicates"
  let entityName, entityAddress, duplicatesAddress, chosenWords, most: String
  let hasConstraints, isAsked, isEmpty, hasGroups, hasMore: Bool
  let constraints: [ConstraintFields]
  let groups: [DuplicateGroupFields]
  let properties: [DuplicatePropertyFields]
  let columns: [String]
}
