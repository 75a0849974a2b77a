import ArgumentParser

/// The form in which a shell's completion script passes the words of a command line.
enum ShellHandover {
  /// As they were typed.
  case typed
  /// As they were typed, but with a wrong cursor position in words with quotes or spaces: the script for zsh
  /// splits the line in another way than zsh does.
  case miscounted
  /// Without their quotes and backslashes, as fish before version 4 passes them.
  case unquoted

  init(of shell: CompletionShell?, version: String?) {
    let major = version?.prefix { $0 != "." }
    switch shell {
    case .zsh: self = .miscounted
    case .fish where major.flatMap({ Int($0) }).map { $0 < 4 } ?? false: self = .unquoted
    default: self = .typed
    }
  }

  /// A word without the shell's quotes and backslashes.
  func text(_ word: String) -> String {
    switch self {
    case .typed, .miscounted: ShellWord(word).text
    case .unquoted: word
    }
  }

  /// The part of a word before the cursor; the whole word where the cursor position is unknown.
  func prefix(_ counted: String, of word: String) -> String {
    switch self {
    case .typed, .unquoted: counted
    case .miscounted: word.contains { $0.isWhitespace || "'\"\\".contains($0) } ? word : counted
    }
  }
}
