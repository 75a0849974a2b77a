/// Finds the name that the user probably meant, for the remedy in an error.
package enum Suggestion {
  private static let longestWord = 1000

  /// Returns the nearest name, if at most two edits and at most half of the word's letters separate it from the word.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    // A word of this length is not a misspelled name, and the time of a comparison grows with the word's length.
    guard word.utf8.count <= longestWord else { return nil }
    let word = Array(word.lowercased())
    let limit = min(2, word.count / 2)
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = slips(word, other: Array(name.lowercased()), limit: limit)
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns a remedy such as `correct the key to "name"` or `the keys of Tag are name, notes`.
  package static func remedy(_ what: String, word: String, among names: [String], of whole: String)
    -> String
  {
    if let nearest = nearest(to: word, among: names) { return "correct the \(what) to \"\(nearest)\"" }
    let shown = names.prefix(20).map(\.abbreviated).joined(separator: ", ")
    return "\(whole): \(shown)\(names.count > 20 ? ", ..." : "")"
  }

  /// The Levenshtein distance, computed one row of its table at a time; `.max` when the lengths differ by more than
  /// the limit.
  private static func slips(_ one: [Character], other: [Character], limit: Int) -> Int {
    guard abs(one.count - other.count) <= limit else { return .max }
    var row = Array(0...other.count)
    for (i, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, candidate) in other.enumerated() {
        let substituted = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
