import Foundation

/// The schemas in PostgreSQL that tests have their stores in.
package enum TestSchema {
  /// A name that no other schema has.
  package static func newName() -> String {
    "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
  }
}
