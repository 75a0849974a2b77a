/// The page of a store's history.
struct HistoryPageFields: PageFields {
  static let template = "history"
  let historyAddress, momentsAddress, since, until: String
  let newest, older: String?
  let isFiltered, hasPages: Bool
  let object: HistoryObjectFields?
  let authors: [AuthorFields]
  let entities: [HistoryEntityFields]
  let transactions: [TransactionFields]
}
