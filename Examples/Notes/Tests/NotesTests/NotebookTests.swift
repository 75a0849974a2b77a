import CoreData
import Foundation
import Testing

@testable import Notes

@Suite("The notebook")
@MainActor
struct NotebookTests {
  private let folder = TemporaryFolder()
  private let notebook: Notebook

  init() throws { notebook = try Notebook(in: folder.url) }

  private func titles(about words: String...) throws -> [String] {
    try notebook.sections(about: words).flatMap(\.notes).map(\.title)
  }

  @Test("every category has its notes, the oldest first, and every note has tags")
  func sections() async throws {
    _ = try await notebook.seed(for: ["en"])
    let sections = try notebook.sections()
    #expect(sections.map(\.category) == ["Birds", "Climbers", "Herbs", "Insects", "Shrubs", "Trees"])
    #expect(sections.map(\.notes.count) == [4, 6, 7, 5, 9, 5])
    for (category, notes) in sections {
      let days = notes.compactMap(\.createdAt)
      #expect(days == days.sorted() && days.count == notes.count)
      #expect(notes.allSatisfy { $0.category?.name == category && !$0.tags.isEmpty })
    }
  }

  @Test("a note is among those of its category and of each of its tags")
  func inverses() async throws {
    _ = try await notebook.seed(for: ["en"])
    let bryony = try #require(try notebook.sections(about: ["bryony"]).first?.notes.first)
    #expect(Set(bryony.tags.map(\.name)) == ["Summer", "Fruit", "Poisonous"])
    #expect(bryony.tags.allSatisfy { $0.notes.contains(bryony) })
    #expect(bryony.category?.notes.contains(bryony) == true)
  }

  @Test("a search finds the notes that have each word, in their text or as a tag")
  func search() async throws {
    _ = try await notebook.seed(for: ["en"])
    #expect(
      try titles(about: "WASP") == [
        "Ivy blooms when little else does", "An oak apple is no apple",
      ]
    )
    #expect(try titles(about: "edible", "frost") == ["Sloes after the first frost"])
    #expect(try titles(about: "wasp", "whale") == [])
  }

  @Test("a reader of a language without notes gets the English ones")
  func otherLanguage() async throws {
    _ = try await notebook.seed(for: ["fi"])
    #expect(try notebook.sections().first?.category == "Birds")
  }

  @Test("the language of the first launch stays, and so does what the reader changed")
  func changes() async throws {
    _ = try await notebook.seed(for: ["de"])
    let ash = try #require(try notebook.sections(about: ["Esche"]).first?.notes.first)
    ash.title = "Die Esche ist gefällt"
    try ash.managedObjectContext?.save()
    let report = try await notebook.seed(for: ["en"])
    #expect(report.total.created == 0 && report.total.updated == 0)
    #expect(try titles(about: "gefällt") == ["Die Esche ist gefällt"])
    #expect(try titles().count == 36)
  }

  @Test("both languages have the same notes, of the same days and with as many tags")
  func languages() async throws {
    let german = try Notebook(in: folder.url.appendingPathComponent("de"))
    _ = try await notebook.seed(for: ["en"])
    _ = try await german.seed(for: ["de"])
    func summary(of notebook: Notebook) throws -> [String] {
      let notes = try notebook.sections().flatMap(\.notes)
      #expect(notes.count == 36)
      return notes.map { note in
        "\(note.createdAt!) \(note.updatedAt!) \(note.category!.colorAsHex!) \(note.tags.count)"
      }
      .sorted()
    }
    #expect(try summary(of: german) == summary(of: notebook))
  }

  @Test("a second launch says that the notes are there, and prints the same ones")
  func launches() async throws {
    var first: [String] = []
    try await Program(notebook: notebook, languages: ["en"]).run { first.append($0) }
    let again = try Notebook(in: folder.url)
    var second: [String] = []
    try await Program(notebook: again, languages: ["en"]).run { second.append($0) }

    #expect(first.first == "A new notebook: 36 notes were written into it.")
    #expect(first[1...2] == ["\nBirds:", "02-11  A wren weighs nine grams"])
    #expect(second.first == "The notebook has its 36 notes from an earlier launch.")
    #expect(first.dropFirst() == second.dropFirst())
  }

  @Test("what a launch with words finds, it prints in full")
  func fullText() async throws {
    var lines: [String] = []
    try await Program(notebook: notebook, words: ["Rotkehlchen"], languages: ["de-AT"])
      .run { lines.append($0) }
    #expect(lines[1] == "\nSträucher:")
    #expect(lines[2].hasPrefix("10-13  Das Pfaffenhütchen trägt Rosa und Orange\n       Vier rosa Klappen"))
    #expect(lines[2].hasSuffix("\n       Frucht, Giftig, Herbst"))
    #expect(lines.count == 3)
  }
}

/// A folder that is deleted after the test.
private final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit { try? FileManager.default.removeItem(at: url) }
}
