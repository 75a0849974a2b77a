import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

@Suite("The words of a line that is being typed")
struct CompletionWordsTests {
  private func words(_ words: [String], at index: Int) -> CompletionWords {
    CompletionWords(words, index: index, prefix: words[index])
  }

  @Test("the completed word does not count as an earlier one")
  func others() {
    let line = words(["perennial", "fetch", "'My Notes.sqlite'", "No", "--count"], at: 3)
    #expect(line.typed == "No")
    #expect(line.before == ["fetch", "My Notes.sqlite"])
    #expect(line.others == ["fetch", "My Notes.sqlite", "--count"])
  }

  @Test("an option's values are found in each spelling, as bash splits them too")
  func values() {
    let line = words(
      [
        "perennial", "dump", "--entity", "Note", "--entity=Tag", "--entity", "=", "Category", "x", "--entity",
        "Last",
      ],
      at: 8
    )
    #expect(line.values(of: "--entity") == ["Note", "Tag", "Category", "Last"])
    #expect(line.values(of: "--entity", isBefore: true) == ["Note", "Tag", "Category"])
    #expect(line.values(of: "--model") == [])
  }

  @Test("words after a possible option with a value come last")
  func free() {
    let line = words(["perennial", "fetch", "--model", "A.momd", "B.sqlite", "--sort=x", "Note", "y"], at: 7)
    #expect(line.free == ["fetch", "B.sqlite", "Note", "A.momd"])
  }

  @Test("fish before its version 4 hands over words without their quotes, and others as they were typed")
  func unquoted() {
    func typed(_ word: String, _ shell: CompletionShell?, _ version: String?) -> String {
      CompletionWords(
        ["perennial", word],
        index: 1,
        prefix: word,
        as: ShellHandover(of: shell, version: version)
      )
      .typed
    }
    let predicate = #"name == "Sh"#
    #expect(typed(predicate, .fish, "3.6.0") == predicate)
    for (shell, version) in [(CompletionShell.fish, "4.0.2"), (.fish, nil), (.bash, "5.2"), (nil, nil)] {
      #expect(typed("'\(predicate)", shell, version) == predicate)
    }
  }

  @Test("zsh's place of the cursor counts in words without quotes alone")
  func miscounted() {
    func typed(_ word: String, _ prefix: String) -> String {
      let handover = ShellHandover(of: .zsh, version: "5.9")
      return CompletionWords(["perennial", word], index: 1, prefix: prefix, as: handover).typed
    }
    #expect(typed("category.name", "category") == "category")
    #expect(typed("'category.name == \"Sh", "'ca") == "category.name == \"Sh")
    #expect(typed("My\\ No", "My") == "My No")
  }

  @Test("a tilde is the home folder")
  func home() {
    let line = words(["perennial", "fetch", "~/Notes.sqlite", "a~", ""], at: 4)
    #expect(line.others[1] == NSHomeDirectory() + "/Notes.sqlite")
    #expect(line.others[2] == "a~")
  }

  @Test("a line of any shape is taken: none of its parts has to be there")
  func odd() {
    #expect(CompletionWords([], index: 0, prefix: "").others == [])
    #expect(CompletionWords(["perennial"], index: 7, prefix: "x").typed == "x")
    #expect(CompletionWords(["a", "b"], index: -3, prefix: "").before == [])
    #expect(CompletionWords(["a", "--entity"], index: 2, prefix: "").values(of: "--entity") == [])
  }
}
