import Hummingbird

/// The names and values of a form, in their order.
struct FormFields: Sendable {
  /// The greatest number of names in a form. The forms of these pages have fewer.
  private static let most = 20_000
  private let items: [(name: String, value: String)]

  /// Decodes the body of a form.
  ///
  /// - Throws: an `HTTPError` for a body that no browser sends: invalid escapes, bytes that are not UTF-8, or too
  ///   many names.
  init(body: some Sequence<UInt8>) throws {
    var items: [(name: String, value: String)] = []
    // The split is bounded, so that the parts of a body never take more memory than the body. One part beyond the
    // limit shows that there are too many.
    for item in Array(body).split(separator: UInt8(ascii: "&"), maxSplits: Self.most) {
      if items.count == Self.most { throw Self.malformed("more than \(Self.most) names") }
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      items.append((try Self.decoded(parts[0]), parts.count > 1 ? try Self.decoded(parts[1]) : ""))
    }
    self.items = items
  }

  /// Returns the first value of a name; `nil` where there is none.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Returns all values of a name, in their order.
  func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  private static func decoded(_ text: ArraySlice<UInt8>) throws -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw malformed("a percent sign that two hexadecimal digits do not follow")
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw malformed("bytes that are not UTF-8") }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func malformed(_ what: String) -> HTTPError {
    HTTPError(.badRequest, headers: [.connection: "close"], message: "The form has \(what); send it from its page.")
  }
}
