import CoreData
import Foundation
import Seeding
import Testing

@Suite("Merges and documents of YAML")
struct YAMLDocumentTests {
  @Test("a YAML mapping merges the keys of others, and its own keys win")
  func merges() throws {
    let store = try TestStore()
    try store.seed(
      """
      categories: [{name: C}]
      notes:
        - &base {title: A, contents: base, category: C}
        - <<: *base
          title: B
        - {<<: [{contents: first}, *base], title: D}
        - title: E
          "<<": quoted
      """.replacingOccurrences(of: "\n    \"<<\": quoted", with: ""),
      name: "seed.yaml"
    )
    #expect(
      try store.lines("Note", "title", "contents", "category.name")
        == ["A|base|C", "B|base|C", "D|first|C", "E|-|-"]
    )
  }

  @Test(
    "a byte order mark before YAML is skipped",
    arguments: ["tags", "\"tags\"", "# Tags\ntags"]
  )
  func byteOrderMark(start: String) throws {
    let store = try TestStore()
    try store.seed("\u{FEFF}\(start):\n- name: x\n", name: "seed.yaml")
    #expect(try store.values("Tag", "name") == ["x"])
  }

  @Test("many YAML records can merge one mapping, and refer to it")
  func many() throws {
    let records = (0..<500).map {
      "  - <<: *base\n    title: n\($0)\n    tags: *tags\n    updatedAt: 2024-03-17\n"
    }.joined()
    let store = try TestStore()
    try store.seed(
      "tags: [{name: T}]\nnotes:\n  - &base {title: A, contents: \(String(repeating: "x", count: 50)), tags: &tags [T]}\n"
        + records,
      name: "seed.yaml"
    )
    #expect(try store.noteLines().count { $0.hasSuffix("|-|T") } == 501)
  }

  @Test(
    "a YAML merge of anything but a mapping is refused",
    arguments: [("1", "the number 1"), ("[1]", "the number 1"), ("x", "the string \"x\""), ("null", "null")]
  )
  func wrong(value: String, kind: String) throws {
    let error = #expect(throws: SeedError.self) {
      try TestStore().seed("notes:\n  - title: A\n    <<: \(value)\n", name: "seed.yaml")
    }
    #expect(
      error?.description
        == "seed.yaml:3: \(kind) cannot be merged by <<; give an alias of a mapping, or a list of them"
    )
  }

  @Test("nested YAML merges that double in size each time are refused")
  func bomb() throws {
    var text = "notes:\n  - &m0 {title: A, contents: \(String(repeating: "x", count: 100))}\n"
    for level in 1..<30 {
      text += "  - &m\(level) {title: n\(level), x: [*m\(level - 1), *m\(level - 1)], <<: *m\(level - 1)}\n"
    }
    let error = #expect(throws: SeedError.self) { try TestStore().seed(text, name: "seed.yaml") }
    #expect(error?.problem == "aliases make the seed very much larger than its text")
  }

  @Test(
    "several YAML documents are one seed, each with its own header and with records numbered across documents"
  )
  func documents() throws {
    let store = try TestStore()
    let text =
      "---\n$dates: dd.MM.yyyy\ntags: [{name: T}]\nnotes: [{title: A}]\n---\n# nothing\n---\nnotes:\n  - {title: B, tags: T}\n...\n"
    #expect(try store.seed(text, name: "seed.yaml").total.created == 3)
    #expect(try store.noteLines() == ["A|-|", "B|-|T"])
    let error = #expect(throws: SeedError.self) {
      try store.seed("notes: [{title: A}]\n---\nnotes:\n  - title: B\n  - titel: C\n", name: "seed.yaml")
    }
    #expect(error?.position?.line == 5 && error?.position?.record == 3)
    let header = #expect(throws: SeedError.self) {
      try store.seed("notes: [{title: A}]\n---\n$dates: iso8601\n", name: "seed.yaml")
    }
    #expect(header?.problem == "a header stands after records")
    for text in ["---\n---\n", "# nothing\n"] {
      let error = #expect(throws: SeedError.self) { try store.seed(text, name: "seed.yaml") }
      #expect(error?.problem == "the text is empty")
    }
  }

  @Test("a YAML document that is cut off is named by its line")
  func broken() throws {
    let error = #expect(throws: SeedError.self) {
      try TestStore().seed("tags: [{name: T}]\n---\ntags: [{name: U}\n", name: "seed.yaml")
    }
    #expect(error?.code == .brokenText && (error?.position?.line ?? 0) >= 3)
  }
}
