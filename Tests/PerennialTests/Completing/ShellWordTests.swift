import ArgumentParser
import Testing

@testable import PerennialCommands

@Suite("Words of a shell")
struct ShellWordTests {
  @Test(
    "quotes and backslashes are removed from a shell's word, including unclosed ones",
    arguments: [
      ("Notes.sqlite", "Notes.sqlite"), (#"My\ Notes"#, "My Notes"), ("'My Notes", "My Notes"),
      (#""My Notes""#, "My Notes"), (#"'category.name == "Sh"#, #"category.name == "Sh"#),
      (#""a \"b\" \c""#, #"a "b" \c"#), (#"'a\b'"#, #"a\b"#), (#"'it'\''s'"#, "it's"), (#"a\"#, "a"),
      ("", ""),
    ]
  )
  func texts(raw: String, text: String) {
    #expect(ShellWord(raw).text == text)
  }

  @Test(
    "for bash, which expands completions like a command line, every special character is escaped"
  )
  func bash() {
    #expect(ShellWord.spelled("category.name", for: .bash) == "category.name")
    #expect(ShellWord.spelled("Gärten", for: .bash) == "Gärten")
    #expect(ShellWord.spelled("$(touch x)", for: .bash) == #"\$\(touch\ x\)"#)
    #expect(ShellWord.spelled("`x`;~*\\\"'", for: .bash) == #"\`x\`\;\~\*\\\"\'"#)
  }

  @Test("for zsh, which treats text after a colon as a description, colons are escaped")
  func zsh() {
    #expect(ShellWord.spelled("name == \"$x\"", for: .zsh) == "name == \"$x\"")
    #expect(ShellWord.spelled("max:(createdAt", for: .zsh) == #"max\:(createdAt"#)
    #expect(ShellWord.spelled(#"name == "\n""#, for: .zsh) == #"name == "\\n""#)
  }

  @Test("fish takes completions as they are")
  func fish() {
    #expect(ShellWord.spelled("max:(\"$x\"", for: .fish) == "max:(\"$x\"")
    #expect(ShellWord.spelled("a b", for: nil) == "a b")
  }

  @Test(
    "words with line ends or terminal commands are not completions",
    arguments: ["", "a\nb", "\u{1B}[2J", "a\u{202E}b"]
  )
  func refused(text: String) {
    #expect(ShellWord.spelled(text, for: .bash) == nil)
    #expect(ShellWord.spelled(text, for: .zsh) == nil)
  }
}
