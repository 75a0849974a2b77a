import Foundation

extension SQLValue {
  /// The value as SQL writes it.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value.replacing("'", with: "''"))'"
    case .blob(let value): "x'\(value.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}
