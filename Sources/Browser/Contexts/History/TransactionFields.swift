/// A transaction of the history.
struct TransactionFields: TemplateFields {
  let number, sinceAddress, date, transactionAddress: String
  let exactDate, author, authorAddress, contextName, program, process, untold: String?
  let changes: [ChangeFields]
  let counts: [String]
}
