package import CoreData
import Foundation

/// A position in a grid, directly before or after the row with a sort value and a key.
package struct GridPosition: Sendable, Hashable {
  package enum Direction: String, Sendable {
    case after, before
  }

  package let direction: Direction
  /// The key of the row next to the position; `nil` for the end of the grid.
  package let key: Int64?
  /// The row's value of the sorted attribute; `nil` if the value must be read from the row.
  package let value: SortValue?

  package init(_ direction: Direction, key: Int64?, value: SortValue?) {
    self.direction = direction
    self.key = key
    self.value = value
  }
}

/// A sort value that can be part of an address.
package enum SortValue: Sendable, Hashable {
  case none
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case date(Double)
  case text(String)
  case uuid(UUID)

  /// The longest text in an address. A longer text is read from its row.
  private static let longestText = 200

  /// - Returns: `nil` if the value cannot be part of an address.
  package init?(value: Any?, attribute: NSAttributeDescription) {
    switch (attribute.attributeType, value) {
    case (_, nil), (_, is NSNull): self = .none
    case (.doubleAttributeType, let number as NSNumber), (.floatAttributeType, let number as NSNumber):
      self = .real(number.doubleValue)
    case (.decimalAttributeType, let number as NSDecimalNumber): self = .decimal(number.decimalValue)
    case (_, let number as NSNumber): self = .integer(number.int64Value)
    case (_, let date as Date): self = .date(date.timeIntervalSinceReferenceDate)
    case (_, let text as String) where text.utf8.count <= Self.longestText: self = .text(text)
    case (_, let uuid as UUID): self = .uuid(uuid)
    default: return nil
    }
  }

  /// Reads the form that ``description`` writes.
  package init?(_ text: String) {
    let rest = String(text.dropFirst())
    let value: SortValue? =
      switch text.first {
      case "n": SortValue.none
      case "i": Int64(rest).map { .integer($0) }
      case "r": Double(rest).map { .real($0) }
      case "m": Decimal(string: rest, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) }
      case "d": Double(rest).map { .date($0) }
      case "t": .text(rest)
      case "u": UUID(uuidString: rest).map { .uuid($0) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// The value in a form that predicates compare; `nil` if there is no value.
  var constant: Any? {
    switch self {
    case .none: nil
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .text(let text): text
    case .uuid(let uuid): uuid
    }
  }

  /// True if the values of the attribute can be compared with it.
  func fits(_ attribute: NSAttributeDescription) -> Bool {
    switch (self, attribute.attributeType) {
    case (.none, _): true
    case (.integer, .integer16AttributeType), (.integer, .integer32AttributeType),
      (.integer, .integer64AttributeType), (.integer, .booleanAttributeType):
      true
    case (.real(let value), .doubleAttributeType), (.real(let value), .floatAttributeType): !value.isNaN
    case (.decimal(let value), .decimalAttributeType): !value.isNaN
    case (.date(let value), .dateAttributeType): value.isFinite
    case (.text, .stringAttributeType), (.uuid, .UUIDAttributeType): true
    default: false
    }
  }
}

extension SortValue: CustomStringConvertible {
  /// The value in the form of an address.
  package var description: String {
    switch self {
    case .none: "n"
    case .integer(let value): "i\(value)"
    case .real(let value): "r\(value)"
    case .decimal(let value): "m\(value)"
    case .date(let value): "d\(value)"
    case .text(let value): "t\(value)"
    case .uuid(let value): "u\(value.uuidString)"
    }
  }
}
