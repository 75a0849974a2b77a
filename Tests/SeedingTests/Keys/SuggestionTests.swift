import Testing

@testable import Texts

@Suite("Suggestions in errors")
struct SuggestionTests {
  private let names = ["name", "title", "contents", "createdAt"]

  @Test(
    "a misspelling of one or two letters suggests the right name",
    arguments: [
      ("titel", "title"), ("Title", "title"), ("nam", "name"), ("createdat", "createdAt"),
      ("content", "contents"),
    ]
  )
  func slips(word: String, name: String) {
    #expect(Suggestion.nearest(to: word, among: names) == name)
  }

  @Test("a word unlike all names gives no suggestion", arguments: ["colour", "x", "", "nomenclature"])
  func nothing(word: String) {
    #expect(Suggestion.nearest(to: word, among: names) == nil)
  }

  @Test("without a similar name, the remedy lists the existing names")
  func list() {
    let remedy = Suggestion.remedy("key", word: "colour", among: names, of: "the keys of Note are")
    #expect(remedy == "the keys of Note are: name, title, contents, createdAt")
    #expect(Suggestion.remedy("key", word: "titel", among: names, of: "") == "correct the key to \"title\"")
  }
}
