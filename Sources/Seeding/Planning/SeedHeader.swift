import CoreData
import Texts

/// The declarations of a seed file ahead of its records, by keys that begin with a dollar sign.
///
///     {"$keys": {"notes": ["title", "author"]}, "$dates": "dd.MM.yyyy", "notes": [ ... ]}
struct SeedHeader {
  /// The word that records of a header have where other records have the name of an entity.
  static let word = "$"
  static let keysKey = "$keys"
  static let datesKey = "$dates"
  static let plainKey = "$plain"
  static let createOnlyKey = "$createOnly"
  /// The key under which editors look for the JSON Schema of a file. It means nothing to the store.
  static let schemaKey = "$schema"
  private static let known = [createOnlyKey, datesKey, keysKey, plainKey, schemaKey]

  /// The date strategy for attributes without one of their own.
  private(set) var dates = DateStrategy.byLook

  /// True when keys and values are the model's own, without regard to annotations: so `perennial dump` writes them.
  private(set) var isPlain = false

  /// Takes a field in. Declarations of natural keys, or of properties that only new objects are
  /// given, are returned by the seed's words for entities.
  mutating func read(_ field: SeedField, at position: SeedPosition) throws -> [(word: String, names: [String])] {
    switch (field.key, field.value) {
    case (Self.keysKey, .object(let entities)), (Self.createOnlyKey, .object(let entities)):
      return try entities.map { ($0.key, try Self.names($0, at: position)) }
    case (Self.keysKey, _):
      throw SeedError.wrongShape(
        at: position,
        problem: "natural keys are declared by an object",
        remedy: "write {\"notes\": [\"title\"]}: the names of properties for each entity"
      )
    case (Self.createOnlyKey, _):
      throw SeedError.wrongShape(
        at: position,
        problem: "what only new objects are given is declared by an object",
        remedy: "write {\"notes\": [\"isFavourite\"]}: the names of properties for each entity"
      )
    case (Self.datesKey, .string(let word)):
      guard let strategy = DateStrategy(word) else { fallthrough }
      dates = strategy
    case (Self.datesKey, _):
      throw SeedError.wrongShape(
        at: position,
        problem: "\(field.value.kind) is not a way to write dates",
        remedy:
          "give \(DateStrategy.words.joined(separator: ", ")) or a format such as \"dd.MM.yyyy\", where MM is "
          + "the month and mm the minute"
      )
    case (Self.plainKey, .bool(let truth)): isPlain = truth
    case (Self.plainKey, _):
      throw SeedError.wrongShape(
        at: position,
        problem: "\(field.value.kind) is not a boolean",
        remedy: "give true or false"
      )
    case (Self.schemaKey, .string): break
    case (Self.schemaKey, _):
      throw SeedError.wrongShape(
        at: position,
        problem: "\(field.value.kind) is not a place of a schema",
        remedy: "give a path or a URL as a string"
      )
    default:
      throw SeedError(
        code: .unknownKey,
        at: position,
        problem: "a header has no key of this name",
        remedy: Suggestion.remedy("key", word: field.key, among: Self.known, of: "the keys of a header are")
      )
    }
    return []
  }

  private static func names(_ field: SeedField, at position: SeedPosition) throws -> [String] {
    let values: [SeedValue] =
      switch field.value {
      case .array(let values): values
      case .null: []
      default: [field.value]
      }
    return try values.map { value in
      guard case .string(let name) = value else {
        throw SeedError.wrongShape(
          at: position.with(key: field.key),
          problem: "\(value.kind) is not a name of a property",
          remedy: "give a list of names, which is empty for an entity without a natural key"
        )
      }
      return name
    }
  }
}
