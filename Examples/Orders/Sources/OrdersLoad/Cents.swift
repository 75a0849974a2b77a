import Foundation
import GRDB

/// Money in whole cents, which SQLite adds exactly.
struct Cents: Codable, Hashable, DatabaseValueConvertible, RawRepresentable {
  var rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The cents of an amount of money. Fractions of a cent are dropped.
  init(_ amount: Decimal) { rawValue = NSDecimalNumber(decimal: amount * 100).int64Value }

  var amount: Decimal { Decimal(rawValue) / 100 }
}
