import Texts

/// The name of a record within a run, whether or not its entity has a natural key.
enum SeedLabel: Hashable, Sendable {
  /// The text under `$id` in the record.
  case written(String)

  /// A record that stands in place of a reference and has no label of its own, by number within the
  /// run.
  case nested(Int)

  /// The words by which an error names it.
  var words: String {
    switch self {
    case .written(let label): "\"\(label.abbreviated)\""
    case .nested(let number): "of the nested record \(number)"
    }
  }
}
