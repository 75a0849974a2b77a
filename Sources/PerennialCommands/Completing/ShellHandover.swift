import ArgumentParser

/// The form in which the completion script of a shell hands over the words of a command line.
enum ShellHandover {
  /// As they were typed.
  case typed
  /// As they were typed, with a place of the cursor that is miscounted in a word with quotes or spaces: the script
  /// for zsh splits the line in another way than zsh does.
  case miscounted
  /// Without their quotes and backslashes, as fish before its version 4 has them.
  case unquoted

  init(of shell: CompletionShell?, version: String?) {
    let major = version?.prefix { $0 != "." }
    switch shell {
    case .zsh: self = .miscounted
    case .fish where major.flatMap({ Int($0) }).map { $0 < 4 } ?? false: self = .unquoted
    default: self = .typed
    }
  }

  /// A word without the quotes and backslashes of the shell.
  func text(_ word: String) -> String {
    switch self {
    case .typed, .miscounted: ShellWord(word).text
    case .unquoted: word
    }
  }

  /// The part of a word in front of the cursor; the whole word where that place is not known.
  func prefix(_ counted: String, of word: String) -> String {
    switch self {
    case .typed, .unquoted: counted
    case .miscounted: word.contains { $0.isWhitespace || "'\"\\".contains($0) } ? word : counted
    }
  }
}
