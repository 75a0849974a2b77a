import CoreData
import Deflate
import Foundation
import Testing
import Texts

@testable import Seeding

@Suite("Limits of seeds")
struct SeedLimitsTests {
  private func failure(_ text: String, _ name: String, _ limits: SeedLimits) throws -> SeedError? {
    try failure(Data(text.utf8), name, limits)
  }

  /// The error of a seed, which leaves the store without objects.
  private func failure(_ data: Data, _ name: String, _ limits: SeedLimits = SeedLimits()) throws -> SeedError? {
    let store = try TestStore()
    var source = SeedSource.data(data, name: name)
    source.limits = limits
    let error = #expect(throws: SeedError.self) { try Seeder(source).runAndWait(in: store.coordinator) }
    #expect(try store.count("Tag") + store.count("Note") == 0)
    return error
  }

  private func limits(record: Int = 1 << 20, document: Int = 1 << 20, size: Int = 4 << 20) -> SeedLimits {
    var limits = SeedLimits()
    limits.largestRecord = record
    limits.largestDocument = document
    limits.largestSize = size
    return limits
  }

  @Test(
    "the expanded size of a compressed seed is limited",
    arguments: ["tags.json.gz", "tags.yaml.gz", "tags.plist.gz"]
  )
  func expansion(name: String) throws {
    let blanks = String(repeating: " ", count: 8 << 20)
    let packed = try Deflate.compressed(Data("{\"tags\": [\(blanks)]}".utf8), wrapping: .gzip)
    #expect(packed.count < 100_000)
    let error = try failure(packed, name, limits(document: 1 << 30))
    #expect(error?.code == .tooLarge)
    #expect(error?.problem == "the file expands to more than the 4194304 bytes that are allowed")
  }

  @Test("compressed data is expanded in blocks of 256 KiB")
  func parts() throws {
    let packed = try Deflate.compressed(Data(count: 8 << 20), wrapping: .gzip)
    let expansion = try Deflate.Expansion()
    expansion.add([UInt8](packed))
    var size = 0
    while case let part = try expansion.next(), !part.isEmpty {
      #expect(part.count <= 256 << 10)
      size += part.count
    }
    try expansion.finish()
    #expect(size == 8 << 20)
  }

  @Test("a seed file that exceeds the size limit is refused, compressed or not")
  func size() throws {
    let text = "name\n" + (0..<1000).map { "tag \($0)\n" }.joined()
    let error = try failure(text, "tags.csv", limits(size: 1000))
    #expect(error?.description.hasPrefix("tags.csv: the file has more than the 1000 bytes") == true)
  }

  static let large: [(name: String, text: @Sendable (String) -> String, line: String)] = [
    ("tags.json", { "{\"tags\": [\n {\"name\": \"A\"},\n {\"name\": \"\($0)\"}]}" }, "tags.json:3: a record"),
    ("tags.jsonl", { "{\"name\": \"A\"}\n{\"name\": \"\($0)\"}\n" }, "tags.jsonl:2: a record"),
    ("tags.csv", { "name\nA\n\($0)\n" }, "tags.csv:3: a record"),
    ("tags.csv", { "name\nA\n\"B\n\($0)" }, "tags.csv:3: a record"),
    ("tags.yaml", { "tags:\n  - name: \($0)\n" }, "tags.yaml: the file has more than the 1048576 bytes"),
    (
      "tags.plist", { "<plist><dict><key>tags</key><array><string>\($0)</string></array></dict></plist>" },
      "tags.plist: the file has more than the 1048576 bytes"
    ),
  ]

  @Test("a record that exceeds the limit of bytes is an error with its line", arguments: large.indices)
  func record(index: Int) throws {
    let (name, text, line) = Self.large[index]
    let error = try failure(text(String(repeating: "x", count: 3 << 20)), name, limits())
    #expect(error?.code == .tooLarge)
    #expect(error?.description.hasPrefix(line) == true, "\(String(describing: error))")
  }

  @Test("a record that exceeds the limit of values is an error")
  func values() throws {
    let list = Array(repeating: "1", count: 100_000).joined(separator: ",")
    let json = "{\"notes\": [{\"title\": \"A\", \"tags\": [\(list)]}]}"
    #expect(try failure(json, "notes.json", limits())?.code == .tooLarge)
    for (name, text) in [
      ("notes.yaml", "notes: [\(list)]"),
      (
        "notes.plist",
        "<plist><dict><key>notes</key><array>\(String(repeating: "<array/>", count: 100_000))</array></dict></plist>"
      ),
    ] {
      #expect(try failure(text, name, limits())?.code == .tooLarge)
    }
  }

  @Test("blanks between records do not use memory", arguments: ["tags.json", "tags.jsonl", "tags.csv"])
  func blanks(name: String) throws {
    let blanks = String(repeating: " ", count: 3 << 20)
    let text =
      switch name {
      case "tags.json":
        "\(blanks){\(blanks)\"tags\": [\(blanks){\"name\": \"A\"}\(blanks),\(blanks){\"name\": \"B\"}\(blanks)]\(blanks)}\(blanks)"
      case "tags.jsonl": "{\"name\": \"A\"}\n\(blanks)\n\(blanks){\"name\": \"B\"}\n\(blanks)"
      default: "name\nA\n\(blanks)\nB\n\(blanks)"
      }
    let store = try TestStore()
    var source = SeedSource.data(Data(text.utf8), name: name)
    source.limits = limits(size: 64 << 20)
    #expect(try Seeder(source).runAndWait(in: store.coordinator).total.created == 2)
    #expect(try store.values("Tag", "name") == ["A", "B"])
  }

  @Test("a number with very many digits is refused at once, and the message shows only its beginning")
  func digits() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    let json = try failure("{\"notes\": [{\"title\": \(digits)}]}", "seed.json", SeedLimits())
    #expect(
      json?.description
        == "seed.json:1:22: a number has more than 2048 characters; write it with fewer digits"
    )
    for (name, text) in [("things.csv", "int16\n\(digits)"), ("things.yaml", "things: [{int16: \(digits)}]")] {
      let store = try TestStore(.inMemory, TestModel.things())
      let error = #expect(throws: SeedError.self) { try store.seed(text, name: name) }
      #expect(error?.code == .wrongType)
      #expect((error?.description.utf8.count ?? .max) < 300)
    }
  }

  @Test("every quotation in a seed's error is shortened")
  func messages() throws {
    let long = String(repeating: "long", count: 500_000)
    for json in [
      "{\"\(long)\": [{}]}", "{\"tags\": [{\"\(long)\": 1}]}", "{\"tags\": [{\"name\": [\"\(long)\"]}]}",
      "{\"notes\": [{\"title\": \"A\", \"tags\": [\"\(long)\"]}]}",
      "{\"notes\": [{\"createdAt\": \"\(long)\"}]}",
      "{\"tags\": [{\"$entity\": \"\(long)\"}]}",
      "{\"notes\": [{\"title\": \"A\", \"category\": {\"$ref\": \"\(long)\"}}]}",
      "{\"tags\": [{\"name\": \"\(long)\"}, {\"name\": \"\(long)\"}]}", "{\"$dates\": \"\(long)\"}",
      "{\"$\(long)\": 1}", "{\"tags\": \"\(long)\"}",
    ] {
      let error = try failure(json, "seed.json", SeedLimits())
      #expect((error?.description.utf8.count ?? .max) < 1000, "\(json.prefix(60))")
    }
    let accents = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(accents.abbreviated.utf8.count < 200)
  }

  @Test("an object with very many keys is read in linear time")
  func keys() throws {
    let keys = (0..<50_000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    let error = try failure("{\"tags\": [{\(keys), \"k7\": 2}]}", "seed.json", SeedLimits())
    #expect(error?.problem == "the JSON is broken: the key \"k7\" stands twice in one object")
  }
}
