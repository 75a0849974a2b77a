/// The page of the differences between two moments of the history.
struct MomentsPageFields: PageFields {
  static let template = "moments"
  let historyAddress, momentsAddress, from, to, momentsWords, transactionCount, mostChanges: String
  let firstAddress: String
  let shortened, partial, passing, pageWords, previousPage, nextPage: String?
  let isOneTransaction, isEmpty, isBeyond, hasPages: Bool
  let objects: [ChangeFields]
  let counts: [String]
}
