import Foundation

/// The PostgreSQL schemas that the stores of tests use.
package enum TestSchema {
  /// A unique schema name.
  package static func newName() -> String {
    "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
  }
}
