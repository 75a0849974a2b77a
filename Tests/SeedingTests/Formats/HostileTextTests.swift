import Foundation
import Testing
import Texts

@testable import Seeding

@Suite("Hostile texts, and texts from other programs")
struct HostileTextTests {
  @Test(
    "the rows of a table end with a line feed, a carriage return or both",
    arguments: ["\n", "\r", "\r\n"]
  )
  func lineEnds(end: String) throws {
    let store = try TestStore()
    let rows = ["title,contents", "One,\"a\rb\nc\"", "", "Two,d", "Three,"]
    try store.seed(rows.joined(separator: end), name: "notes.csv")
    #expect(try store.values("Note", "title") == ["One", "Three", "Two"])
    #expect(try store.values("Note", "contents") == ["-", "a\rb\nc", "d"])
    let error = #expect(throws: SeedError.self) {
      try TestStore().seed(rows.joined(separator: end) + end + "a,b,c", name: "notes.csv")
    }
    // The field of the second line contains two line breaks.
    #expect(error?.position?.line == 8)
  }

  @Test("a carriage return and its line feed are one line end, wherever a block of the file ends")
  func blocks() throws {
    let text = "name\r\nA\r\n\r\n\"B\r\nC\"\r\nD\r\n"
    for size in 1...text.utf8.count {
      let bytes = try SeedBytes(.data(Data(text.utf8)), file: "tags.csv", blockSize: size)
      var reader = try SeparatedValuesSeedReader(bytes, file: "tags.csv", word: "tags")
      var found: [String] = []
      var lines: [Int?] = []
      while let record = try reader.next() {
        lines.append(record.position.line)
        if case .text(let text) = record.fields[0].value { found.append(text) }
      }
      #expect(found == ["A", "B\r\nC", "D"])
      #expect(lines == [2, 4, 6])
    }
  }

  @Test("a JSON seed gives the same records, wherever a block of the file ends")
  func jsonBlocks() throws {
    let text =
      " { \"$dates\" : \"iso8601\" , \"tags\" : [ {\"name\": \"A\"} , {\"name\": -12.5e3} ] , \"notes\" : [ ] } \n"
    for size in 1...text.utf8.count {
      let bytes = try SeedBytes(.data(Data(text.utf8)), file: "seed.json", blockSize: size)
      var reader = try JSONSeedReader(bytes, file: "seed.json", word: "seed")
      var records: [SeedRecord] = []
      while let record = try reader.next() { records.append(record) }
      #expect(records.map(\.entity) == ["$", "tags", "tags", "notes"])
      #expect(records.map(\.isEmptyList) == [false, false, false, true])
      #expect(records[2].fields[0].value == .number("-12.5e3"))
    }
  }

  @Test(
    "a separator before a combining accent separates, and a line separator within a field does not end the row"
  )
  func graphemes() throws {
    let store = try TestStore()
    try store.seed(
      "title,contents\nOne,\u{301}x\n\"Two\",\"\u{301}y\"\nThree,a\u{2028}b\u{85}c\n",
      name: "notes.csv"
    )
    #expect(try store.values("Note", "title") == ["One", "Three", "Two"])
    #expect(try Set(store.values("Note", "contents")) == ["\u{301}x", "\u{301}y", "a\u{2028}b\u{85}c"])
  }

  /// A seed in UTF-16.
  private static func utf16(isLittle: Bool, mark: Bool) -> Data {
    let units = Array(((mark ? "\u{FEFF}" : "") + "{\"tags\": [{\"name\": \"x\"}]}").utf16)
    let bytes = units.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    return Data(isLittle ? units.flatMap { unit in [UInt8(unit & 0xFF), UInt8(unit >> 8)] } : bytes)
  }

  static let bad: [(name: String, data: Data, line: String)] = [
    ("tags.csv", Data("name\nA\u{0}B".utf8), "tags.csv:2: the row has a byte that is 0"),
    ("tags.json", utf16(isLittle: true, mark: true), "tags.json:1: the text begins as one in UTF-16"),
    ("tags.json", utf16(isLittle: false, mark: true), "tags.json:1: the text begins as one in UTF-16"),
    ("tags.json", utf16(isLittle: true, mark: false), "tags.json:1: the text begins as one in UTF-16"),
    ("tags.json", utf16(isLittle: false, mark: false), "tags.json:1: the text begins as one in UTF-16"),
    ("tags.jsonl", utf16(isLittle: true, mark: true), "tags.jsonl:1: the text begins as one in UTF-16"),
    ("tags.csv", Data([0xFF, 0xFE, 0x6E, 0]), "tags.csv:1: the row has a byte that is 0"),
    ("tags.csv", Data("name\n".utf8) + [0xE9], "tags.csv:2: the row is not valid UTF-8"),
    (
      "tags.json", Data("{\"tags\": [{\"name\": \"\\ud800\"}]}".utf8),
      "tags.json:1:21: the JSON is broken: an escape"
    ),
    (
      "tags.json", Data("{\"tags\": [{\"name\": \"\\ud800\\u0041\"}]}".utf8),
      "tags.json:1:21: the JSON is broken: an escape"
    ),
    (
      "tags.json", Data(("{\"tags\": [{\"name\": " + String(repeating: "[", count: 100_000)).utf8),
      "tags.json:1:219: values are nested more than 200 deep; nest them less deep"
    ),
    (
      "tags.yaml", Data("a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b,*b]\nd: {? [*c,*c,*c,*a] : 1}".utf8),
      "tags.yaml: a key is a list, a mapping or an alias, and there are aliases"
    ),
    (
      "tags.yaml",
      Data(
        ("tags:\n- name: &a \(String(repeating: "x", count: 10_000))\n"
          + (0..<1000).map { _ in "- name: *a\n" }.joined()).utf8
      ),
      "tags.yaml:2: aliases make the seed very much larger than its text"
    ),
    ("tags.yaml", Data("tags:\n  - name: \"a\u{0}b\"".utf8), "tags.yaml"),
  ]

  @Test("a text that is invalid in its format is an error with a line", arguments: bad.indices)
  func badTexts(index: Int) throws {
    let (name, data, line) = Self.bad[index]
    let store = try TestStore()
    let error = #expect(throws: SeedError.self) {
      try Seeder(.data(data, name: name)).runAndWait(in: store.coordinator)
    }
    #expect(error?.description.hasPrefix(line) == true, "\(String(describing: error))")
    #expect(error?.code == (line.contains("nested more") ? .tooLarge : .brokenText))
    #expect(try store.count("Tag") == 0)
  }

  @Test("YAML keys that aliases make very large are refused before they are compared")
  func yamlKeys() throws {
    let levels = (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
    for key in ["? *a30\n  : 1", "{*a30 : 1}", "{[*a30]: 1}", "*a30 : 1"] {
      let store = try TestStore()
      let error = #expect(throws: SeedError.self) {
        try store.seed("a0: &a0 [1]\n\(levels)b:\n  \(key)\n", name: "seed.yaml")
      }
      #expect(error?.code == .brokenText)
    }
    // WeakHandle and alias characters have no meaning within texts.
    let store = try TestStore()
    let text = "tags:\n" + (0..<20).map { "- {name: \"*bold* and [link]: \($0)\"}\n" }.joined()
    try store.seed(text.replacingOccurrences(of: "[link]:", with: "(link)"), name: "seed.yaml")
    #expect(try store.count("Tag") == 20)
  }

  @Test("an error escapes control characters and bidirectional text of a seed")
  func commands() throws {
    for command in ["\u{1B}[2J", "\u{9B}2J", "\u{7F}", "\u{202E}", "\u{2066}", "\u{1B}]0;title\u{7}"] {
      let json = "{\"tags\": [{\"name\": \"A\", \"\(command)\": 1}]}".replacingOccurrences(
        of: "\u{1B}",
        with: "\\u001b"
      )
      .replacingOccurrences(of: "\u{7}", with: "\\u0007")
      let error = #expect(throws: SeedError.self) { try TestStore().seed(json) }
      let line = try #require(error?.description)
      #expect(!line.unicodeScalars.contains { $0.isCommand || $0.turnsDirection }, "\(line)")
      #expect(
        line.contains("\\u{\(String(command.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true))}")
      )
    }
    // Direction marks in right-to-left texts are part of the text.
    #expect(VisibleText(line: "\u{200F}שלום\u{200E}").description == "\u{200F}שלום\u{200E}")
    #expect(VisibleText(lines: "a\tb\nc\rd").description == "a\tb\nc\\u{D}d")
    #expect(VisibleText(line: "a\tb\r\nc\u{2028}d").description == "a b c d")
  }

  @Test(
    "a megabyte of control characters is escaped in linear time",
    .timeLimit(.minutes(60))
  )
  func longText() {
    let text = String(repeating: "\u{1B}é", count: 400_000)
    #expect(VisibleText(line: text).description.utf8.count == 400_000 * ("\\u{1B}é".utf8.count))
    #expect(text.spellingControlCharacters(but: []).utf8.count == 400_000 * ("\\u{1B}é".utf8.count))
  }
}
