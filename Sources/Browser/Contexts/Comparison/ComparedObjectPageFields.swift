/// The page of one object in both stores.
struct ComparedObjectPageFields: PageFields {
  static let template = "comparedobject"
  let title, entityName, otherName, comparisonAddress, listAddress, wayTitle, othersCount: String
  let hereAddress, hereKey, thereKey: String?
  let isInBoth, isOnlyHere, isOnlyThere, isSameByNow, isOneOther: Bool
  let different, others: [ComparedPropertyFields]
}
