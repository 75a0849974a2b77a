import CoreData
import Foundation
import Texts

/// A reference that a table gives in several columns: `card.suit` and `card.value`.
struct TableReference {
  private let fields: [SeedField]
  private let position: SeedPosition

  /// Nil if the value is not an object of a table's fields.
  init?(_ value: SeedValue, at position: SeedPosition) {
    guard case .object(let fields) = value, !fields.isEmpty, Self.isOfTable(value) else { return nil }
    self.fields = fields
    self.position = position
  }

  private static func isOfTable(_ value: SeedValue) -> Bool {
    switch value {
    case .text, .null: true
    case .object(let fields): fields.allSatisfy { isOfTable($0.value) }
    default: false
    }
  }

  /// One object for each part of the fields between separators, of which all have to have as many.
  func rows() throws -> [SeedValue] {
    let columns = fields.map { ($0.key, Self.parts($0.value)) }
    let count = columns.map(\.1.count).max() ?? 0
    guard columns.allSatisfy({ $0.1.count == count }) else {
      let counts = columns.map { "\($0.1.count) in \($0.0.abbreviated)" }.joined(separator: ", ")
      throw SeedError(
        code: .wrongType,
        at: position,
        problem: "the columns of the relationship have different numbers of values: \(counts)",
        remedy: "give one value for each object in every column, separated by |"
      )
    }
    return (0..<count).map { index in
      .object(columns.compactMap { key, parts in parts[index].map { SeedField(key: key, value: $0) } })
    }
  }

  /// The values of a column, nil for those that are empty; of columns within it together.
  private static func parts(_ value: SeedValue) -> [SeedValue?] {
    switch value {
    case .text(let text):
      return text.split(separator: SeedValue.separator, omittingEmptySubsequences: false).map { part in
        let part = part.trimmingCharacters(in: .whitespaces)
        return part.isEmpty ? nil : .text(part)
      }
    case .object(let fields):
      let columns = fields.map { ($0.key, parts($0.value)) }
      return (0..<(columns.map(\.1.count).max() ?? 0)).map { index in
        let inner = columns.compactMap { key, parts in
          index < parts.count ? parts[index].map { SeedField(key: key, value: $0) } : nil
        }
        return inner.isEmpty ? nil : .object(inner)
      }
    default: return [value]
    }
  }

  /// Checks that no part of a composite natural key is missing, because a row with a part of a key
  /// does not mean a new object.
  ///
  /// - Throws: A `SeedError` if a part is missing.
  func checkIsNoPart(of shape: EntityShape, isPlain: Bool) throws {
    guard let key = shape.naturalKey, !key.isSimple else { return }
    let given = fields.map { shape.words.property(named: $0.key, isPlain: isPlain) }
    let areParts = given.allSatisfy { property in key.parts.contains { $0.property === property } }
    guard areParts, given.count < key.parts.count else { return }
    let missing = key.parts.map(\.property).filter { part in !given.contains { $0 === part } }.map(\.name)
    throw SeedError(
      code: .wrongType,
      at: position,
      problem: "the row has no \(missing.joined(separator: ", ")) for the \(shape.name) that it refers to",
      remedy: "give the \(key.name) of the \(shape.name), or none of them"
    )
  }
}
