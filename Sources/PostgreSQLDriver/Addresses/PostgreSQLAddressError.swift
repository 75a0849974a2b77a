#if PostgreSQL
  import Foundation

  /// The error for a URL that is not the address of a database.
  ///
  /// It repeats nothing of the URL but the names of parameters: the rest may be a password.
  package struct PostgreSQLAddressError: LocalizedError, CustomStringConvertible, Sendable, Hashable {
    /// A sentence that describes the problem.
    package let message: String
    /// A sentence with the remedy.
    package let remedy: String

    init(_ message: String, remedy: String) {
      self.message = message
      self.remedy = remedy
    }

    package var description: String { "\(message) \(remedy)" }
    package var errorDescription: String? { description }
    package var recoverySuggestion: String? { remedy }
  }
#endif
