/// The page of the comparison with another store.
struct ComparisonPageFields: PageFields {
  static let template = "comparison"
  let otherName, startAddress, number: String
  let outcome, failure: String?
  let isFirst, isIdle, isEqual, hasAmbiguous: Bool
  let progress: ComparisonProgressFields?
  let rows: [ComparisonRowFields]
}
