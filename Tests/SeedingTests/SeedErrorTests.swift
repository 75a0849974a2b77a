import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@testable import Seeding

/// Each bad seed gives one line that names the file, entity, record, key and remedy, and leaves the store unchanged.
@Suite("Bad seeds")
struct SeedErrorTests {
  @Test(
    "a bad seed gives one exact line and changes nothing",
    arguments: BadSeed.all,
    TestStore.Kind.allCases
  )
  func line(bad: BadSeed, kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.everything(hasComposite: kind == .inMemory))
    try store.seed("{\"tags\": [{\"name\": \"Before\"}]}", name: "before.json")
    let before = try store.contents()

    let error = #expect(throws: SeedError.self) { try Seeder(bad.sources).runAndWait(in: store.coordinator) }
    #expect(error?.code == bad.code)
    #expect(error?.description == bad.line)
    #expect(error?.localizedDescription == bad.line)

    #expect(try store.contents() == before)
    #expect(SeedLedger(metadata: store.metadata).entries.map(\.name) == ["before.json"])
  }

  @Test("there are at least fifty different bad seeds, with every error code that a seed alone can cause")
  func kinds() {
    #expect(BadSeed.all.count >= 50)
    #expect(Set(BadSeed.all.map(\.what)).count == BadSeed.all.count)
    let codes: Set<SeedError.Code> = [
      .brokenText, .wrongShape, .unknownEntity, .unknownKey, .wrongType, .unknownReference, .ambiguousKey,
      .noNaturalKey, .noTransformer, .invalidObject, .tooLarge,
    ]
    #expect(Set(BadSeed.all.map(\.code)) == codes)
  }

  @Test("two keys for one attribute are found among very many keys")
  func manyKeys() throws {
    let names = (0..<1900).map { "a\($0)" }
    let thing = makeEntity("Thing")
    thing.properties = names.map { makeAttribute($0, .integer16AttributeType) }
    let store = try TestStore(.inMemory, makeModel([thing]) { _ in })
    let fields = names.map { "\"\($0)\": 1" }.joined(separator: ", ")
    let records = [String](repeating: "{\(fields)}", count: 50).joined(separator: ",\n")
    #expect(try store.seed("{\"things\": [\(records)]}").total.created == 50)
    let error = #expect(throws: SeedError.self) {
      try store.seed("{\"things\": [{\(fields), \"A_1899\": 2}]}")
    }
    #expect(error?.problem == "a1899 is given by another key of the record already")
  }

  @Test("an error about a composite attribute names the element")
  func composites() throws {
    let store = try TestStore(.inMemory, TestModel.everything(hasComposite: true))
    for (json, line) in [
      ("5", "the number 5 is not a value for a composite attribute; give an object with the keys x, label"),
      ("{\"y\": 1}", "the composite attribute has no element \"y\"; its elements are: x, label"),
      ("{\"x\": \"1\"}", "element \"x\": the string \"1\" is not a value for a Double; give a number"),
    ] {
      let error = #expect(throws: SeedError.self) { try store.seed("{\"things\": [{\"place\": \(json)}]}") }
      #expect(error?.description.contains(line) == true, "\(String(describing: error))")
    }
    #expect(try store.count("Thing") == 0)
  }

  @Test(
    "an error names a seed file that is missing, or a folder without seeds or with seeds of another format"
  )
  func files() throws {
    let store = try TestStore()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appendingPathComponent("seed.txt")
    try Data("{}".utf8).write(to: text)

    let cases: [(SeedSource, SeedError.Code, String)] = [
      (
        .file(URL(fileURLWithPath: "/nowhere/seed.json")), .unreadableFile,
        "/nowhere/seed.json: there is no such file"
      ),
      (.file(folder), .unreadableFile, "\(folder.path): this is a folder without seeds"),
      (.file(text), .unknownFormat, "\(text.path): the format of a seed is known by the end of its name"),
      (.bundle(.main, "none.json"), .unreadableFile, "none.json: there is no such resource in the bundle"),
    ]
    for (source, code, line) in cases {
      let error = #expect(throws: SeedError.self) { try Seeder(source).runAndWait(in: store.coordinator) }
      #expect(error?.code == code)
      #expect(error?.description.hasPrefix(line) == true, "\(String(describing: error))")
    }
  }

  @Test("a natural key that several objects of the store have is refused")
  func ambiguous() throws {
    let store = try TestStore()
    let context = store.newContext()
    try context.performAndWait {
      for _ in 0..<2 {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(
          "News",
          forKey: "name"
        )
      }
      try context.save()
    }
    let error = #expect(throws: SeedError.self) {
      try store.seed("{\"notes\": [{\"title\": \"A\", \"tags\": [\"News\"]}]}")
    }
    #expect(error?.code == .ambiguousKey)
    #expect(error?.problem == "there are several Tag with the name \"News\"")
  }
}
