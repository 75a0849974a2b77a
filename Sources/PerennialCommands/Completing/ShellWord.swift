import ArgumentParser

/// A word of a command line as a shell hands it over for completion: with the quotes and backslashes that its
/// writer has typed so far.
struct ShellWord {
  /// The word without them.
  let text: String

  /// - Parameter raw: the word as it was typed; a quote that is not closed yet goes to its end.
  init(_ raw: String) {
    var text = ""
    var quote: Character?
    var isEscaped = false
    for character in raw {
      if isEscaped {
        // Between double quotes a backslash stands for itself, but before these.
        if quote == "\"", !"\"\\$`".contains(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        text.append(character)
      }
    }
    self.text = text
  }

  /// A completion as the script of a shell has to be told it; nil for one that no word can be.
  ///
  /// The script for bash hands completions to `compgen -W`, which expands them as a command line: what is in the
  /// model of a stranger is not to be run. The one for zsh hands them to `_describe`, for which an explanation begins
  /// behind a colon.
  static func spelled(_ completion: String, for shell: CompletionShell?) -> String? {
    guard !completion.isEmpty, completion.unicodeScalars.allSatisfy({ !isSeparating($0) }) else { return nil }
    let isMeaningful: (Unicode.Scalar) -> Bool
    switch shell {
    case .bash: isMeaningful = { $0.isASCII && !isPlain($0) }
    case .zsh: isMeaningful = { $0 == ":" || $0 == "\\" }
    default: return completion
    }
    return completion.unicodeScalars.reduce(into: "") { spelled, scalar in
      if isMeaningful(scalar) { spelled.append("\\") }
      spelled.unicodeScalars.append(scalar)
    }
  }

  /// True of what ends a line, or is a command to a terminal.
  private static func isSeparating(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".", ",", "@", "=", ":", "/", "-", "+", "%": true
    default: false
    }
  }
}
