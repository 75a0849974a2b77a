import StoreExploration
import Texts

/// The text of an error as a sentence of a page.
///
/// Errors of the libraries are lines of a log: they begin in lower case and have no full stop.
enum ErrorSentence {
  /// Returns the text with a capital letter at the beginning and a full stop at the end.
  ///
  /// A first word keeps its spelling if it has anything but lower-case letters, such as a path or a value, or if a colon
  /// follows, because it is the place of the error then.
  ///
  /// - Parameter isName: returns true for a name in the model, which keeps its spelling too.
  static func text(_ text: String, isName: (String) -> Bool) -> String {
    var sentence = text
    let separators: Set<Character> = [" ", ",", ":", ";", "."]
    let word = text.prefix { !separators.contains($0) }
    let rest = text.dropFirst(word.count)
    let isPlace = rest.first == ":" || rest.isPath
    let isWord = word.allSatisfy { ("a"..."z").contains($0) || $0 == "-" }
    if let first = word.first, isWord, !isPlace, !isName(String(word)) {
      sentence = first.uppercased() + text.dropFirst()
    }
    guard let last = sentence.last, !Self.ends.contains(last) else { return sentence }
    return sentence + "."
  }

  private static let ends: Set<Character> = [".", "!", "?", "…"]
}

extension Substring {
  /// True for the rest of a key path, which begins with a dot and a further name.
  fileprivate var isPath: Bool { first == "." && dropFirst().first.map { !$0.isWhitespace } ?? false }
}

extension PageFrame {
  /// Returns the text of an error as a sentence on one line. All pages show errors by it.
  ///
  /// - Parameter most: the greatest number of the text's Unicode scalars.
  func sentence(_ text: String, atMost most: Int = 2_000) -> String {
    ErrorSentence.text(VisibleText(line: text, atMost: most).description) { word in
      entities.contains { entity in
        entity.name == word || entity.attributes.contains(word) || entity.relationships.contains(word)
      }
    }
  }
}
