/// The values that name one object: one for each part of its entity's natural key, in the key's order.
///
/// Most keys have a single part, and then there is no list to allocate.
enum KeyValues: Hashable, Sendable {
  case one(PlannedValue)
  case several([Part])

  /// The value of one part of a key.
  indirect enum Part: Hashable, Sendable {
    case value(PlannedValue)
    /// The object that a to-one relationship leads to, by its own key.
    case object(KeyValues)
  }

  init(_ parts: [Part]) {
    if parts.count == 1, case .value(let value) = parts[0] {
      self = .one(value)
    } else {
      self = .several(parts)
    }
  }

  var parts: [Part] {
    switch self {
    case .one(let value): [.value(value)]
    case .several(let parts): parts
    }
  }

  /// The words by which an error names the values.
  var words: String {
    switch self {
    case .one(let value): value.words
    case .several(let parts):
      parts.map { part in
        switch part {
        case .value(let value): value.words
        case .object(let key): key.words
        }
      }.joined(separator: ", ")
    }
  }
}
