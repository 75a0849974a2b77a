import Files
import Foundation

/// The words of a command line that is being typed, without the quotes of the shell.
struct CompletionWords: Sendable {
  /// The part of the completed word before the cursor.
  let typed: String
  /// The words before the completed one, without the program's name.
  let before: [String]
  /// All words but the completed one, without the program's name.
  let others: [String]

  /// - Parameters:
  ///   - words: the words as they were typed, the program's name first.
  ///   - index: the index of the completed word.
  ///   - prefix: the part of that word before the cursor.
  ///   - handover: the form in which the shell passes words.
  init(_ words: [String], index: Int, prefix: String, as handover: ShellHandover = .typed) {
    let isCompleted = words.indices.contains(index)
    typed = handover.text(isCompleted ? handover.prefix(prefix, of: words[index]) : prefix)
    let texts = words.map { Self.expanded(handover.text($0)) }
    before = texts.enumerated().filter { 0 < $0.offset && $0.offset < index }.map(\.element)
    others = before + texts.enumerated().filter { $0.offset > index }.map(\.element)
  }

  /// The values of an option, in the order of the words, in both spellings: `--entity Note`, `--entity=Note`.
  ///
  /// - Parameter isBefore: true to look only at the words before the completed one.
  func values(of option: String, isBefore: Bool = false) -> [String] {
    let words = isBefore ? before : others
    return words.indices.compactMap { index in
      if words[index].hasPrefix("\(option)=") { return String(words[index].dropFirst(option.count + 1)) }
      guard index > 0, words[index - 1] == option else { return nil }
      // bash splits words at equals signs.
      return words[index] == "=" ? words.dropFirst(index + 1).first : words[index]
    }
  }

  /// The words that are not values of options. Which options take values is not known here, so words that
  /// follow a possible option come last.
  var free: [String] {
    let words = others.indices.filter { !others[$0].hasPrefix("-") && others[$0] != "=" }
    func isBehindOption(_ index: Int) -> Bool {
      index > 0 && others[index - 1].hasPrefix("--") && !others[index - 1].contains("=")
    }
    return (words.filter { !isBehindOption($0) } + words.filter(isBehindOption)).map { others[$0] }
  }

  /// A path with the home folder instead of `~`, as the shell expands it.
  private static func expanded(_ word: String) -> String {
    guard word == "~" || word.hasPrefix("~/") else { return word }
    return NSHomeDirectory() + word.dropFirst()
  }
}
