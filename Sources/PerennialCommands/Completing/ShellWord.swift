import ArgumentParser

/// A word of a command line as a shell passes it for completion, with the quotes and backslashes typed so far.
struct ShellWord {
  /// The word without quotes and backslashes.
  let text: String

  /// - Parameter raw: the word as it was typed. A quote that is still open extends to its end.
  init(_ raw: String) {
    var text = ""
    var quote: Character?
    var isEscaped = false
    for character in raw {
      if isEscaped {
        // Between double quotes a backslash is literal, except before these characters.
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

  /// A completion, escaped for a shell's completion script; nil for a text that no word can have.
  ///
  /// The script for bash passes completions to `compgen -W`, which expands them like a command line. Names in a
  /// stranger's model must not run as commands. The script for zsh passes them to `_describe`, where a colon
  /// begins an explanation.
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

  /// True for characters that end a line or control a terminal.
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
