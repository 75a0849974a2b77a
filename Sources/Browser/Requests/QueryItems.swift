import Foundation

/// The names and values of a query or of a form, in their order.
struct QueryItems: Sendable {
  private let items: [(name: String, value: String)]
  /// A query has no more names than any page gives it.
  private static let most = 200

  init(_ text: String) {
    items = text.split(separator: "&", maxSplits: Self.most).prefix(Self.most).map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// The first value of a name; `nil` where there is none, or an empty one.
  subscript(name: String) -> String? {
    items.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name that are not empty, in their order.
  func values(_ name: String) -> [String] {
    items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  /// What is no encoding of a text stands for itself.
  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text.replacing("+", with: " "))
    return spaced.removingPercentEncoding ?? spaced
  }
}
