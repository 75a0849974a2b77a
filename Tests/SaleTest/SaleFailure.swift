/// What went wrong with a sale.
struct SaleFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
