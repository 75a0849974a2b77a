import Foundation
import Testing

@testable import PerennialCommands

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Pages about changes")
struct ReviewPageTests {
  private func page(_ changes: [(group: String, change: ReviewPage.Change)], title: String = "T")
    -> ReviewPage
  {
    ReviewPage(
      title: title,
      subtitle: title,
      verdict: title,
      columns: ("Before", "After"),
      changes: changes,
      words: \.rawValue
    )
  }

  @Test(
    "a page shows texts of data literally, whatever they contain",
    arguments: [
      "<script>alert(1)</script>", "</style><script>x</script>", "\"><img src=x onerror=alert(1)>", "'&\"",
      "{{title}}", "{{{page.title}}}", "{{#page}}{{/page}}", "\u{1B}[2J\u{0}", "\u{202E}x",
      "<\u{301}b>\"\u{301}",
      "\u{FFFE}\u{FFFF}", "javascript:alert(1)", "]]>", "<!--", "列名",
    ]
  )
  func hostileTexts(text: String) throws {
    let change = ReviewPage.Change(
      mark: .changed,
      subject: text,
      words: text,
      note: text,
      values: [.init(text, before: text, after: text)]
    )
    let html = try ReviewTemplate.html(page([(text, change)], title: text))
    let elements = try Elements(html)
    #expect(Set(elements.names).isSubset(of: Elements.known), "\(elements.names)")
    #expect(!html.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202E })
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && ![0x202E, 0xFFFE, 0xFFFF].contains($0.value)
    }
    let shown = elements.texts.filter { $0 == text }.count
    // The page's title and heading, its subtitle and verdict, the group, the change with its text and note, and a value.
    if isPlain { #expect(shown >= 9, "\(elements.texts)") }
  }

  @Test("the review page's policy allows only its own style sheet")
  func policy() throws {
    let html = try ReviewTemplate.html(page([]))
    #expect(html.contains("default-src 'none'; style-src 'sha256-"))
    #expect(!html.contains("unsafe"))
    #expect(!html.contains(" style=") && !html.contains("<script") && !html.contains("http://"))
  }

  @Test("a page is limited: long texts, many values and many changes are cut, and it says so")
  func bounds() throws {
    let long = String(repeating: "<", count: 1_000_000)
    let values = (1...1000).map { ReviewPage.Value("v\($0)", before: long, after: "b") }
    let one = ReviewPage.Change(mark: .changed, subject: long, values: values)
    #expect(one.values.count == ReviewPage.mostValues + 1)
    let many = (1...20_000).map {
      (group: "G\($0 / 9000)", change: ReviewPage.Change(mark: .added, subject: "o\($0)"))
    }
    let page = page([("A", one)] + many)
    #expect(page.groups.reduce(0) { $0 + $1.number } + page.leftOut == 20_001)
    #expect(page.leftOut > 10_000)
    let html = try ReviewTemplate.html(page)
    #expect(html.utf8.count < 12_000_000)
    #expect(html.contains("\(page.leftOut) more of the changes are left out"))
    // The count includes the changes that the page leaves out.
    #expect(html.contains("<b>20000</b> added"))
    #expect(
      !(try ReviewTemplate.html(self.page([("A", .init(mark: .added, subject: "x"))])).contains("left out"))
    )
  }

  /// The elements of a page and their texts.
  private final class Elements: NSObject, XMLParserDelegate {
    static let known: Set<String> = [
      "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "ul", "li", "b",
      "main",
      "section", "article", "span", "table", "thead", "tbody", "tr", "th", "td", "del", "ins",
    ]
    private(set) var names: [String] = []
    private(set) var texts: [String] = []
    private var text = ""

    init(_ html: String) throws {
      super.init()
      let parser = XMLParser(data: Data(html.utf8))
      parser.delegate = self
      let isWellFormed = parser.parse()
      try #require(isWellFormed, "\(parser.parserError as (any Error)?)")
    }

    private func endText() {
      let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if !trimmed.isEmpty { texts.append(trimmed) }
      text = ""
    }

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      endText()
      names.append(name)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
      _ parser: XMLParser,
      didEndElement name: String,
      namespaceURI: String?,
      qualifiedName: String?
    ) {
      endText()
    }
  }
}
