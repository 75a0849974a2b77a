import CoreData
import Deflate
import Foundation
import Seeding
import Testing

@Suite("Seeds in other formats than JSON")
struct SeedFormatTests {
  /// The same notes in every format, by file name.
  static let notes: [String: String] = [
    "notes.jsonl": """
    {"title": "One", "contents": "a, \\"b\\"", "createdAt": "2024-03-17", "tags": ["News", "Old"]}

    {"$entity": "notes", "title": "Two"}
    {"$entity": "tags", "name": "News"}
    {"$entity": "Tag", "name": "Old"}
    """,
    "notes.yaml": """
    notes:
      - {title: One, contents: 'a, "b"', createdAt: 2024-03-17, tags: &all [News, Old]}
      - title: Two
        contents:
    tags:
      - name: News
      - name: Old
    """,
    "notes.plist": """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>notes</key><array>
        <dict><key>title</key><string>One</string><key>contents</key><string>a, "b"</string>
          <key>createdAt</key><date>2024-03-17T00:00:00Z</date>
          <key>tags</key><array><string>News</string><string>Old</string></array></dict>
        <dict><key>title</key><string>Two</string></dict>
      </array>
      <key>tags</key><array>
        <dict><key>name</key><string>News</string></dict><dict><key>name</key><string>Old</string></dict>
      </array>
    </dict></plist>
    """,
  ]

  @Test("JSON Lines, YAML and property lists give the same notes", arguments: notes.keys.sorted())
  func sameNotes(name: String) throws {
    let store = try TestStore()
    let report = try store.seed(try #require(Self.notes[name]), name: name)
    #expect(report.total.created == 4)
    #expect(try store.noteLines() == ["One|-|News,Old", "Two|-|"])
    #expect(try store.values("Note", "contents").contains("a, \"b\""))
    let date = Date(timeIntervalSince1970: 1_710_633_600)
    #expect(try store.values("Note", "createdAt") == ["-", "\(date)"])
  }

  static let lists: [String: String] = [
    "notes.json": "[{\"title\": \"One\", \"tags\": [\"News\"]}, {\"title\": \"Two\"}]",
    "note.yaml": "- title: One\n  tags: [News]\n- title: Two\n",
    "Notes.plist": """
    <plist version="1.0"><array><dict><key>title</key><string>One</string><key>tags</key><array><string>News</string>
    </array></dict><dict><key>title</key><string>Two</string></dict></array></plist>
    """,
  ]

  @Test(
    "a list without an entity, like a table, is of the entity that the file is named after",
    arguments: lists.keys.sorted()
  )
  func list(name: String) throws {
    let store = try TestStore()
    try store.seed("name\nNews\n", name: "tags.csv")
    let report = try store.seed(try #require(Self.lists[name]), name: name)
    #expect(report.total.created == 2)
    #expect(try store.noteLines() == ["One|-|News", "Two|-|"])
  }

  @Test(
    "a folder gives each of its seed files, tables by the names of their entities, and ignores other files"
  )
  func folder() throws {
    let folder = try Folder()
    try folder.write("tags.csv", "name\r\nNews\r\n\r\n\"Old\"\r\n")
    try folder.write("notes.csv", "title;contents;tags\nOne;\"a;\n\"\"b\"\"\";News | Old\nTwo;;\n")
    try folder.write("README.md", "These are seeds.")
    let store = try TestStore()
    let report = try Seeder(.file(folder.url)).runAndWait(in: store.coordinator)
    let name = folder.url.lastPathComponent
    #expect(report.seeds.map(\.name) == ["\(name)/notes.csv", "\(name)/tags.csv"])
    #expect(try store.noteLines() == ["One|-|News,Old", "Two|-|"])
    #expect(try store.values("Note", "contents").contains("a;\n\"b\""))
    #expect(try Seeder(.file(folder.url)).runAndWait(in: store.coordinator).total.skipped == 4)
  }

  @Test("a compressed seed's format and name follow from its file name without .gz")
  func compressed() throws {
    let folder = try Folder()
    let lines = try #require(Self.notes["notes.jsonl"])
    let file = folder.url.appendingPathComponent("notes.jsonl.gz")
    try Deflate.compressed(Data(lines.utf8), wrapping: .gzip).write(to: file)
    let store = try TestStore()
    #expect(try Seeder(.file(file)).runAndWait(in: store.coordinator).total.created == 4)
  }

  @Test("the fields of a table are converted to the types of their attributes")
  func types() throws {
    let store = try TestStore(.inMemory, TestModel.things())
    try store.seed(
      "name,int16,double,decimal,bool,date,uuid,url\n007,-12,1.5,12.50,yes,2024-03-17,"
        + "E621E1F8-C36C-495A-93FC-0C247A3E6E5F,https://example.com\n",
      name: "things.csv"
    )
    #expect(try store.values("Thing", "name") == ["007"])
    #expect(try store.values("Thing", "int16") == ["-12"])
    #expect(try store.values("Thing", "decimal") == ["12.5"])
    #expect(try store.values("Thing", "bool") == ["1"])
    #expect(try store.values("Thing", "url") == ["https://example.com"])
  }

  @Test("YAML's plain words are read by the core schema")
  func words() throws {
    let store = try TestStore(.inMemory, TestModel.things())
    try store.seed("things:\n  - {name: no, int16: 0755, bool: TRUE, double: 1e3}\n", name: "things.yml")
    try store.seed("things:\n  - {name: \"12\"}\n  - {name: !!str 13}\n", name: "more.yml")
    #expect(try store.values("Thing", "name") == ["12", "13", "no"])
    #expect(try store.values("Thing", "int16").contains("755"))
  }

  static let bad: [(name: String, text: String, line: String)] = [
    (
      "notes.jsonl", "{\"title\": \"One\"}\n[1]",
      "notes.jsonl:2: the line is not an object; write one object a line"
    ),
    ("notes.jsonl", "{\"title\": \"One\"} {}", "notes.jsonl:1:18: the JSON is broken: the end of the line"),
    (
      "notes.jsonl", "\n{\"title\": 1}",
      "notes.jsonl:2: Note record 1, key \"title\": the number 1 is not a value"
    ),
    ("notes.jsonl", "{\"$entity\": 1}", "notes.jsonl:1: the value of $entity is not a string"),
    ("notes.csv", "", "notes.csv: the table is empty"),
    ("notes.csv", "title,title\nOne,Two", "notes.csv:1: the key \"title\" stands twice"),
    ("notes.csv", "title,\nOne,Two", "notes.csv:1: a column has no key"),
    ("notes.csv", "title\nOne\n\"Two\nThree", "notes.csv:3: a double quote has no other that closes it"),
    (
      "notes.csv", "title\nOne,Two",
      "notes.csv:2: notes record 1: the row has 2 fields, and the first row 1 keys"
    ),
    ("notes.csv", "title\n\"One\"Two", "notes.csv:2: the row is broken"),
    (
      "notes.csv", "title,createdAt\nOne,soon",
      "notes.csv:2: Note record 1, key \"createdAt\": the string \"soon\""
    ),
    ("notes.yaml", "One", "notes.yaml:1: the seed is neither a mapping"),
    ("notes.yaml", "- title: One\n- Two", "notes.yaml:2: notes record 2: the record is not a mapping"),
    ("notes.yaml", "notes:\n  title: One", "notes.yaml:1: notes: the value of \"notes\" is not a list"),
    ("notes.yaml", "notes:\n  - One", "notes.yaml:2: notes record 1: the record is not a mapping"),
    ("notes.yaml", "notes: [{title: One", "notes.yaml:2:1: the YAML is broken"),
    (
      "notes.yaml", "notes:\n  - title: One\n    title: Two",
      "notes.yaml:2: the YAML is broken: the key \"title\""
    ),
    ("notes.yaml", "notes: " + String(repeating: "[", count: 100_000), "notes.yaml"),
    ("notes.yaml", "", "notes.yaml: the text is empty"),
    ("notes.yaml", Self.laughs, "notes.yaml:2: aliases make the seed very much larger"),
    ("notes.plist", "<plist", "notes.plist: the property list is broken"),
    ("notes.plist", "<plist><string/></plist>", "notes.plist: the seed is neither a dictionary"),
    (
      "notes.plist", "<plist><dict><key>notes</key><string/></dict></plist>",
      "notes.plist: notes: the value is not"
    ),
    ("notes.json.gz", "{}", "notes.json.gz: the file is not compressed by gzip, or breaks off"),
  ]

  /// Each line contains the previous one ten times.
  static let laughs: String = {
    let levels = (1...9).map {
      "a\($0): &a\($0) [{x: [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ","))]}]"
    }
    return "a0: &a0 [{x: 1}]\n" + levels.joined(separator: "\n")
  }()

  @Test("a seed that cannot be read names its line and leaves the store unchanged", arguments: bad)
  func badSeeds(name: String, text: String, line: String) throws {
    let store = try TestStore()
    let error = #expect(throws: SeedError.self) { try store.seed(text, name: name) }
    #expect(error?.description.hasPrefix(line) == true, "\(String(describing: error))")
    #expect(try store.count("Note") == 0)
  }
}

/// A folder that exists during a test.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }
}
