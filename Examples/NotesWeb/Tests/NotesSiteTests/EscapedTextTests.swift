import Testing

@testable import NotesSite

@Suite("Text in pages")
struct EscapedTextTests {
  @Test("has no scalar that begins markup, whatever follows it")
  func scalars() {
    for mark in ["<", ">", "&", "\"", "'"] as [Unicode.Scalar] {
      for follower in ["", "\u{301}", "\u{338}", "\u{FE0F}", "\u{200D}"] {
        let escaped = EscapedText().escapeText("a\(mark)\(follower)b")
        let rest = escaped.unicodeScalars.filter { $0 == mark && $0 != "&" }
        #expect(rest.isEmpty)
        #expect(escaped.hasPrefix("a&") && escaped.hasSuffix("b"))
      }
    }
  }

  @Test("has control characters as pictures, and line breaks as references")
  func controls() {
    #expect(EscapedText().escapeText("a\u{0}\u{1B}\u{7F}\u{9F}b") == "a␀␛\u{FFFD}\u{FFFD}b")
    #expect(EscapedText().escapeText("\n\r\t") == "&#10;&#13;\t")
  }

  @Test("is otherwise what it was", arguments: ["", "plain", "שלום", "🐦‍⬛", "e\u{301}", "a – b"])
  func others(text: String) {
    #expect(EscapedText().escapeText(text) == text)
  }
}
