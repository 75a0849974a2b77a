import CoreData
import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "Completion of names in models",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct CompleterTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  private func path(_ name: String) -> String { program.folder.appendingPathComponent(name).path }

  /// The completer for a command line whose last word is incomplete. File names in the line are relative to the folder.
  private func completer(_ words: String...) -> Completer? {
    let words = words.map { program.exists($0) && !$0.isEmpty ? path($0) : $0 }
    let line = ["perennial"] + words
    return Completer(CompletionWords(line, index: line.count - 1, prefix: line.last ?? ""))
  }

  @Test("entities are completed from the model in a store, from a model's file, and from --model")
  func entities() throws {
    for words in [["Notes.sqlite"], ["Notes.xcdatamodeld"], ["other", "--model", "Notes.xcdatamodeld"]] {
      let line = ["perennial", "fetch"] + words.map { program.exists($0) ? path($0) : $0 } + [""]
      let completer = Completer(CompletionWords(line, index: line.count - 1, prefix: ""))
      #expect(completer?.entities == ["Category", "Note", "Tag"], "\(words)")
    }
    #expect(completer("fetch", "Notes.sqlite", "N")?.entities == ["Note"])
    #expect(completer("fetch", "Notes.sqlite", "Nothing")?.entities == [])
    try FileManager.default.removeItem(atPath: path("Notes.xcdatamodeld"))
    #expect(completer("fetch", "Notes.sqlite", "N")?.entities == ["Note"])
    try program.forgetModel()
    #expect(completer("fetch", "Notes.sqlite", "N")?.entities == ["Note"])
  }

  @Test("key paths are completed through relationships, after commas and in functions too")
  func keyPaths() {
    func keyPaths(_ typed: String) -> [String]? {
      completer("fetch", "Notes.sqlite", "notes", "--count", "--sort", typed)?.keyPaths
    }
    #expect(
      keyPaths("") == [
        "category", "category.", "contents", "createdAt", "tags", "tags.", "title", "updatedAt",
      ]
    )
    #expect(keyPaths("cat") == ["category", "category."])
    #expect(keyPaths("category.na") == ["category.name"])
    #expect(keyPaths("title,category.notes.ti") == ["title,category.notes.title"])
    #expect(keyPaths("max:(crea") == ["max:(createdAt"])
    #expect(keyPaths("title.x") == [])
    #expect(keyPaths("none.x") == [])
  }

  @Test("key paths are completed for the last --entity before them, if there is one")
  func entityOption() {
    let completer = completer("dump", "Notes.sqlite", "--entity", "Note", "--entity", "Tag", "--where", "")
    #expect(completer?.keyPaths == ["name", "notes", "notes."])
  }

  @Test("entities and properties come in the forms that made data and seeds ask for")
  func forms() {
    #expect(
      completer("generate-data", "Notes.xcdatamodeld", "--count", "")?.entityCounts == [
        "Category=", "Note=", "Tag=",
      ]
    )
    #expect(
      completer("generate-data", "Notes.xcdatamodeld", "--fan-out", "Note.")?.relationshipCounts == [
        "Note.tags="
      ]
    )
    #expect(completer("seed", "Notes.xcdatamodeld", "--create-only", "N")?.properties == ["Note."])
    #expect(completer("seed", "Notes.xcdatamodeld", "--create-only", "Note.ti")?.properties == ["Note.title"])
    #expect(completer("seed", "Notes.xcdatamodeld", "--create-only", "None.ti")?.properties == [])
  }

  @Test("predicates are completed by keys, and by values if a store is given")
  func predicates() throws {
    // Long enough for any machine.
    let hours = Duration.seconds(86_400)
    func predicates(_ file: String, _ typed: String) -> [String]? {
      completer("fetch", file, "Note", "--where", typed)?.predicates(timeForValues: hours)
    }
    #expect(predicates("Notes.xcdatamodeld", "'category.na") == ["category.name"])
    #expect(
      predicates("Notes.xcdatamodeld", "'title BEGINSWITH")?.first?.hasPrefix("title BEGINSWITH") == true
    )
    let values = try #require(predicates("Notes.sqlite", "'category.name == "))
    #expect(values.contains("category.name == \"Shrubs\""), "\(values)")
    #expect(predicates("Notes.sqlite", "'category.name == \"Sh") == ["category.name == \"Shrubs\""])
  }

  @Test("a line without a model, or with one that cannot be read, has no completer")
  func nothing() throws {
    try program.write("<model>", to: "Broken.xcdatamodel/contents")
    try program.write("a letter", to: "letter.sqlite")
    let store = try Data(contentsOf: program.folder.appendingPathComponent("Notes.sqlite"))
    try store.prefix(5000).write(to: program.folder.appendingPathComponent("half.sqlite"))
    #expect(mkfifo(path("pipe.sqlite"), 0o600) == 0)
    for file in [
      "", "none.sqlite", "none.momd", "Broken.xcdatamodel", "letter.sqlite", "pipe.sqlite", "seed.json",
      "postgresql://nobody@192.0.2.1/none",
    ] {
      #expect(completer("fetch", file, "") == nil, "\(file)")
    }
    // The store is cut off. The completer may read what is left of it, but must return and offer only real names.
    let left = completer("fetch", "half.sqlite", "")?.entities ?? []
    #expect(Set(left).isSubset(of: ["Category", "Note", "Tag"]))
  }

  @Test("a completion that takes too long gives nothing")
  func bound() {
    let gate = DispatchSemaphore(value: 0)
    let late = BoundedWork.value(within: .zero) {
      gate.wait()
      return 1
    }
    #expect(late == nil)
    gate.signal()
    #expect(BoundedWork.value(within: .seconds(86_400)) { 2 } == 2)
  }
}
