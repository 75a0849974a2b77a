import Foundation
import GRDB
import Predicates

/// The orders of texts that a connection knows beside SQLite's own.
enum SQLiteCollation {
  /// The names of those that sort descriptors ask for are the ones that SQL logs of Apple's
  /// framework show.
  private static let names: [TextOrder: String] = [
    .folded(.caseInsensitive): "NSCollateNoCase",
    .locale(): "NSCollateLocaleSensitive",
    .locale(.caseInsensitive): "NSCollateLocaleSensitiveNoCase",
    .locale(.caseInsensitive, numeric: true): "NSCollateFinderlike",
    .folded(.diacriticInsensitive): "perennial_d",
    .folded([.caseInsensitive, .diacriticInsensitive]): "perennial_cd",
    .locale(.diacriticInsensitive): "perennial_dl",
    .locale([.caseInsensitive, .diacriticInsensitive]): "perennial_cdl",
  ]

  static func name(of order: TextOrder) -> String? { names[order] }

  static func register(in database: Database) {
    for (order, name) in names {
      database.add(collation: DatabaseCollation(name) { order.compare($0, $1) })
    }
  }
}
