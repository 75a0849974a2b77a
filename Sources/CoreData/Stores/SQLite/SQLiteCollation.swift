import Foundation
import GRDB

/// An order of texts that a sort descriptor's selector asks for. The names are those that SQL logs of Apple's
/// framework show.
enum SQLiteCollation: String, CaseIterable {
  case caseInsensitive = "NSCollateNoCase"
  case localized = "NSCollateLocaleSensitive"
  case localizedCaseInsensitive = "NSCollateLocaleSensitiveNoCase"
  case localizedStandard = "NSCollateFinderlike"

  var name: String { rawValue }

  static func named(bySelector selector: String) -> SQLiteCollation? {
    switch selector {
    case "caseInsensitiveCompare:": .caseInsensitive
    case "localizedCompare:": .localized
    case "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive
    case "localizedStandardCompare:": .localizedStandard
    default: nil
    }
  }

  var databaseCollation: DatabaseCollation {
    switch self {
    case .caseInsensitive: DatabaseCollation(name) { $0.caseInsensitiveCompare($1) }
    case .localized: DatabaseCollation(name) { $0.localizedCompare($1) }
    case .localizedCaseInsensitive: DatabaseCollation(name) { $0.localizedCaseInsensitiveCompare($1) }
    case .localizedStandard: DatabaseCollation(name) { $0.localizedStandardCompare($1) }
    }
  }
}
