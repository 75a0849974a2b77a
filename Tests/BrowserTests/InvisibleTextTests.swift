import Testing

@testable import Browser

@Suite("Characters without a width")
struct InvisibleTextTests {
  @Test(
    "A character without a width is spelled on the pages of a grid and of an object",
    arguments: ["\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}"]
  )
  func spelled(character: Character) async throws {
    let store = try BrowsedStore { context in
      _ = BrowsedStore.insert("Note", ["title": "pay\(character)pal"], in: context)
    }
    let digits = character.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }.joined()
    for path in ["/entity/Note", "/entity/Note/1"] {
      let page = try await store.page(path)
      #expect(page.contains("pay\\u{\(digits)}pal"), "\(path)")
      #expect(!page.unicodeScalars.contains { character.unicodeScalars.contains($0) }, "\(path)")
    }
  }

  @Test("The joiners of Persian words and of emoji stay")
  func joiners() async throws {
    let text = "می\u{200C}خواهم 👩\u{200D}👧"
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": text], in: $0) }
    #expect(try await store.page("/entity/Note").contains(text))
  }
}
