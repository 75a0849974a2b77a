import Foundation

/// A value as a database knows it: what a statement binds and what a column holds.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}
