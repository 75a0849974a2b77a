import Foundation
import Seeding
import Texts

/// The fields of a request's header (RFC 9110, section 5).
struct HeaderFields {
  private(set) var all: [(name: String, value: String)] = []

  /// Sets a field and replaces an existing one with the same name.
  mutating func set(_ name: String, to value: String) {
    all.removeAll { $0.name.lowercased() == name.lowercased() }
    all.append((name, value))
  }

  /// The fields as libcurl takes them. A field without a value ends in a semicolon, because libcurl takes a colon alone
  /// for the wish to leave its own field out: https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html.
  var lines: [String] { all.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } }

  /// Checks that an application's header fields cannot change a request's framing.
  ///
  /// - Throws: A `SeedError` that names the field, and not its value, which may be secret.
  static func check(_ fields: [(String, String)], at place: RemoteLocation) throws(SeedError) {
    for (name, value) in fields {
      guard isName(name) else {
        throw failure(
          "\"\(name.abbreviated)\" is not a name of a header field",
          remedy: "give a name such as Accept-Language",
          place: place
        )
      }
      guard isValue(value) else {
        throw failure(
          "the value of the header field \(name) has a control character",
          remedy: "give a value of one line",
          place: place
        )
      }
      guard !framing.contains(name.lowercased()) else {
        throw failure("the header field \(name) belongs to the connection", remedy: "leave it out", place: place)
      }
    }
  }

  /// The fields that determine where a request ends. A request for a seed does not have a body.
  private static let framing: Set<String> = ["content-length", "transfer-encoding"]

  private static let separators = Set("\"(),/:;<=>?@[\\]{}".utf8)

  /// Returns true for a token (RFC 9110, section 5.6.2).
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !separators.contains($0) }
  }

  /// Returns true for a text without line breaks and other control characters, of which a tab is
  /// allowed (RFC 9110, section 5.5).
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }

  private static func failure(_ problem: String, remedy: String, place: RemoteLocation) -> SeedError {
    SeedError(code: .notFetched, at: place.position, problem: problem, remedy: remedy)
  }
}
