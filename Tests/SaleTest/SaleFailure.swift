/// A failed check of a sale.
struct SaleFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
