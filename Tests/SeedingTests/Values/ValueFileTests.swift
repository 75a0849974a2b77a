import CoreData
import Deflate
import Foundation
import TestSupport
import Testing

@testable import Seeding

@Suite("Values from files, by $file")
struct ValueFileTests {
  private static let photo = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })

  private func seed(
    _ store: TestStore,
    _ url: URL,
    policy: SeedPolicy = .oncePerContent,
    limits: SeedLimits = SeedLimits()
  ) throws -> SeedReport {
    var source = SeedSource.file(url)
    source.limits = limits
    return try Seeder(source, policy: policy).runAndWait(in: store.coordinator)
  }

  private func things(_ kind: TestStore.Kind = .sqlite) throws -> TestStore {
    try TestStore(kind, TestModel.things(hasComposite: false, key: "name"))
  }

  static let seeds: [(name: String, text: String)] = [
    ("things.json", #"{"things": [{"name": "A", "data": {"$file": "photos/pasta.jpg"}}]}"#),
    ("things.jsonl", #"{"name": "A", "data": {"$file": "photos/pasta.jpg"}}"#),
    ("things.yaml", "things:\n  - name: A\n    data: {$file: photos/pasta.jpg}\n"),
    ("things.csv", "name,data.$file\nA,photos/pasta.jpg\n"),
    (
      "things.plist",
      """
      <plist><dict><key>things</key><array><dict><key>name</key><string>A</string><key>data</key>
      <dict><key>$file</key><string>photos/pasta.jpg</string></dict></dict></array></dict></plist>
      """
    ),
  ]

  @Test(
    "$file reads files next to the seed, in every format",
    arguments: seeds.indices,
    TestStore.Kind.allCases
  )
  func formats(index: Int, kind: TestStore.Kind) throws {
    let folder = try TestFolder()
    try folder.write("photos/pasta.jpg", Self.photo)
    let (name, text) = Self.seeds[index]
    for (name, bytes) in [
      (name, Data(text.utf8)), (name + ".gz", try Deflate.compressed(Data(text.utf8), wrapping: .gzip)),
    ] {
      let store = try things(kind)
      let url = try folder.write(name, bytes)
      #expect(try seed(store, url).total.created == 1)
      #expect(try store.first("Thing", "data", as: Data.self) == Self.photo)
      #expect(try seed(store, url, policy: .always).description == "Thing: 1 unchanged")
    }
  }

  @Test("$file gives texts for string attributes, which have to be UTF-8")
  func texts() throws {
    let folder = try TestFolder()
    let store = try things()
    try folder.write("a.md", "# Grüße\n")
    let url = try folder.write("things.json", #"{"things": [{"name": {"$file": "a.md"}, "int16": 1}]}"#)
    _ = try seed(store, url)
    #expect(try store.values("Thing", "name") == ["# Grüße\n"])
    try folder.write("a.md", Data([0xFF, 0xFE]))
    let error = #expect(throws: SeedError.self) { try seed(store, url) }
    #expect(error?.problem == "the file \"a.md\" is not valid UTF-8")
  }

  @Test("a changed file of $file changes the seed's content, and an unchanged one does not")
  func changes() throws {
    let folder = try TestFolder()
    try folder.write("a.bin", Data([1]))
    let url = try folder.write("things.json", #"{"things": [{"name": "A", "data": {"$file": "a.bin"}}]}"#)
    let store = try things()
    #expect(try seed(store, url).description == "Thing: 1 created")
    #expect(try seed(store, url).description == "Thing: 1 skipped")
    try folder.write("a.bin", Data([2]))
    #expect(try seed(store, url).description == "Thing: 1 updated")
    #expect(try store.first("Thing", "data", as: Data.self) == Data([2]))
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("a.bin"))
    let error = #expect(throws: SeedError.self) { try seed(store, url) }
    #expect(error?.code == .unreadableFile)
    #expect(error?.position?.key == "data" && error?.position?.line == 1)
  }

  @Test("paths of $file are relative to the folder of their own seed or bundle resource")
  func folders() throws {
    let folder = try TestFolder()
    try folder.write("seeds/a/x.bin", Data([1]))
    try folder.write("seeds/a/things.json", #"{"things": [{"name": "A", "data": {"$file": "x.bin"}}]}"#)
    let store = try things()
    _ = try seed(store, folder.url.appendingPathComponent("seeds/a"))
    #expect(try store.first("Thing", "data", as: Data.self) == Data([1]))
    let other = try things()
    let bundle = try #require(Bundle(path: folder.url.appendingPathComponent("seeds/a").path))
    _ = try Seeder(.bundle(bundle, "things.json")).runAndWait(in: other.coordinator)
    #expect(try other.first("Thing", "data", as: Data.self) == Data([1]))
  }

  @Test(
    "paths of $file cannot leave the folder",
    arguments: [
      "../a.bin", "/etc/hostname", "photos/../../a.bin", "photos//a.bin", "./a.bin", "~/a.bin",
      "photos\\a.bin",
      "", "out.bin", "outside/a.bin", "a\u{0}b", "photos", "pipe",
    ]
  )
  func outside(path: String) throws {
    let folder = try TestFolder()
    try folder.write("a.bin", Data([1]))
    try folder.write("in/photos/b.bin", Data([1]))
    try folder.link("in/out.bin", to: "../a.bin")
    try folder.link("in/outside", to: "..")
    mkfifo(folder.url.appendingPathComponent("in/pipe").path, 0o600)
    let value = String(decoding: try JSONEncoder().encode(["$file": path]), as: UTF8.self)
    let url = try folder.write("in/things.json", "{\"things\": [{\"name\": \"A\", \"data\": \(value)}]}")
    let store = try things()
    let error = #expect(throws: SeedError.self) { try seed(store, url) }
    #expect(
      error?.position?.entity == "Thing" && error?.position?.record == 1 && error?.position?.key == "data"
    )
    #expect(try store.count("Thing") == 0)
  }

  @Test("paths of $file may contain links that stay within the folder")
  func links() throws {
    let folder = try TestFolder()
    try folder.write("photos/a.bin", Data([1]))
    try folder.link("b.bin", to: "photos/a.bin")
    let url = try folder.write("things.json", #"{"things": [{"name": "A", "data": {"$file": "b.bin"}}]}"#)
    let store = try things()
    _ = try seed(store, url)
    #expect(try store.first("Thing", "data", as: Data.self) == Data([1]))
  }

  @Test("files of $file are checked against the checksum next to the path")
  func checksums() throws {
    let folder = try TestFolder()
    try folder.write("a.bin", Data([1]))
    let digits = "4BF5122F344554C53BDE2EBB8CD2B7E3D1600AD631C385A5D7CCE23C7785459A"
    for (checksum, isRight) in [(digits, true), (String(digits.reversed()), false)] {
      let url = try folder.write("things.csv", "name,data.$file,data.$sha256\nA,a.bin,\(checksum)\n")
      let store = try things()
      if isRight {
        #expect(try seed(store, url).total.created == 1)
      } else {
        #expect(#expect(throws: SeedError.self) { try seed(store, url) }?.code == .notVerified)
      }
    }
  }

  @Test("files of $file have a size limit each, and one for the whole seed")
  func limits() throws {
    let folder = try TestFolder()
    try folder.write("a.bin", Data(repeating: 1, count: 2000))
    try folder.write("b.bin", Data(repeating: 2, count: 2000))
    let url = try folder.write(
      "things.json",
      #"{"things": [{"name": "A", "data": {"$file": "a.bin"}}, {"name": "B", "data": {"$file": "b.bin"}}]}"#
    )
    for (key, value) in [(\SeedLimits.largestRecord, 1999), (\.largestSize, 3999)] {
      var limits = SeedLimits()
      limits[keyPath: key] = value
      let error = #expect(throws: SeedError.self) { try seed(try things(), url, limits: limits) }
      #expect(error?.code == .tooLarge)
      #expect(error?.position?.key == "data")
    }
  }

  @Test(
    "$file gives values for data and text attributes, and has to be alone in its object",
    arguments: [
      (#""int16": {"$file": "a.bin"}"#, "$file is not a value for the type Integer 16"),
      (#""data": {"$file": "a.bin", "x": 1}"#, "$file has the other key \"x\" besides"),
      (#""data": {"$file": 1}"#, "the number 1 stands under $file"),
      (#""data": {"file": "a.bin"}"#, "an object is not a value for a Binary Data"),
      (#""$file": "a.bin""#, "a record has no key of this name"),
      (#""data": {"\u0024file": "a.bin"}"#, "$file is spelled with escapes"),
    ]
  )
  func misplaced(field: String, problem: String) throws {
    let folder = try TestFolder()
    try folder.write("a.bin", Data([1]))
    let url = try folder.write("things.json", "{\"things\": [{\"name\": \"A\", \(field)}]}")
    let error = #expect(throws: SeedError.self) { try seed(try things(), url) }
    #expect(error?.problem.hasPrefix(problem) == true, "\(String(describing: error))")
  }

  @Test("$file is an error in seeds that are not files, and plain data in transformable values")
  func elsewhere() throws {
    let store = try things()
    let json = #"{"things": [{"name": "A", "data": {"$file": "a.bin"}}]}"#
    let error = #expect(throws: SeedError.self) { try store.seed(json) }
    #expect(error?.problem.hasPrefix("a seed of bytes in memory has no folder") == true)
    let folder = try TestFolder()
    let url = try folder.write("things.json", #"{"things": [{"name": "A", "plain": {"$file": "a.bin"}}]}"#)
    _ = try seed(store, url)
    #expect(try store.first("Thing", "plain", as: [String: String].self) == ["$file": "a.bin"])
  }

  #if !canImport(Darwin)
    @Test("$file values with many bytes are imported in chunks")
    func pieces() throws {
      let folder = try TestFolder()
      let size = 1 << 20
      try folder.write("a.bin", Data(repeating: 7, count: size))
      let count = SeedRun.mostFileBytesAtOnce / size + 20
      let lines = (0..<count).map { "{\"name\": \"\($0)\", \"data\": {\"$file\": \"a.bin\"}}" }
      let url = try folder.write("things.jsonl", lines.joined(separator: "\n"))
      let store = try things()
      #expect(try seed(store, url).total.created == count)
      #expect(try store.count("Thing") == count)
      var limits = SeedLimits()
      limits.largestSize = 2 * size
      #expect(
        try seed(store, url, policy: .always, limits: limits).description == "Thing: \(count) unchanged"
      )
    }
  #endif
}
