/// The page of all changes of one transaction.
struct TransactionPageFields: PageFields {
  static let template = "transaction"
  let historyAddress: String
  let partial, rangeWords, previousPage, nextPage: String?
  let hasPages: Bool
  let transaction: TransactionFields
  let objects: [ChangeFields]
}
