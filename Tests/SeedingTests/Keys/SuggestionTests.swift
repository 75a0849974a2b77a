import Testing

@testable import Texts

@Suite("Suggestions in errors")
struct SuggestionTests {
  private let names = ["name", "title", "contents", "createdAt"]

  @Test(
    "a slip of one or two letters finds the name",
    arguments: [
      ("titel", "title"), ("Title", "title"), ("nam", "name"), ("createdat", "createdAt"),
      ("content", "contents"),
    ]
  )
  func slips(word: String, name: String) {
    #expect(Suggestion.nearest(to: word, among: names) == name)
  }

  @Test("a word far from all names finds none", arguments: ["colour", "x", "", "nomenclature"])
  func nothing(word: String) {
    #expect(Suggestion.nearest(to: word, among: names) == nil)
  }

  @Test("without a near name the remedy lists what there is")
  func list() {
    let remedy = Suggestion.remedy("key", "colour", among: names, of: "the keys of Note are")
    #expect(remedy == "the keys of Note are: name, title, contents, createdAt")
    #expect(Suggestion.remedy("key", "titel", among: names, of: "") == "correct the key to \"title\"")
  }
}
