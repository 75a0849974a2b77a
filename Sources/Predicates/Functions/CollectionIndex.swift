/// The words that a subscript takes instead of a number: `tags[FIRST]`.
package enum CollectionIndex: String, Hashable, Sendable {
  case first = "FIRST"
  case last = "LAST"
  /// Not an element, but how many there are.
  case size = "SIZE"

  init?(keyword: FormatKeyword) {
    switch keyword {
    case .first: self = .first
    case .last: self = .last
    case .size: self = .size
    default: return nil
    }
  }
}
