import Foundation
import Testing

@testable import PerennialCommands

@Suite("The words of a line that is being typed")
struct CompletionWordsTests {
  private func words(_ words: [String], at index: Int) -> CompletionWords {
    CompletionWords(words, index: index, prefix: words[index])
  }

  @Test("the word that is completed is none of the others")
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

  @Test("words behind what may be an option with a value come last")
  func free() {
    let line = words(["perennial", "fetch", "--model", "A.momd", "B.sqlite", "--sort=x", "Note", "y"], at: 7)
    #expect(line.free == ["fetch", "B.sqlite", "Note", "A.momd"])
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
