import Foundation

/// The names and values of a query or of a form, in their order.
struct QueryItems: Sendable {
  private let items: [(name: String, value: String)]
  /// The greatest number of items. No page makes a query with more.
  private static let most = 200

  init(_ text: String) {
    items = text.split(separator: "&", maxSplits: Self.most).prefix(Self.most).map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// Returns the first value of a name; `nil` where there is none, or only empty values.
  subscript(name: String) -> String? {
    items.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// Returns all values of a name that are not empty, in their order.
  func values(_ name: String) -> [String] {
    items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  /// Decodes a text. A text with an invalid encoding stays as it is.
  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text.replacing("+", with: " "))
    return spaced.removingPercentEncoding ?? spaced
  }
}
