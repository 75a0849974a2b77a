import CoreData
import Foundation
import Testing

@testable import Seeding

/// Every bad seed gives one line that names file, entity, record, key and remedy, and leaves the store as it was.
@Suite("Bad seeds")
struct SeedErrorTests {
  struct Bad: CustomTestStringConvertible, Sendable {
    let what: String
    let json: String
    let code: SeedError.Code
    let line: String

    init(_ what: String, _ json: String, _ code: SeedError.Code, _ line: String) {
      self.what = what
      self.json = json
      self.code = code
      self.line = line
    }

    var testDescription: String { what }
  }

  static let bad = [
    Bad(
      "broken JSON",
      "{\"tags\": [\n{\"name\": \"News\",}]}",
      .brokenText,
      "seed.json:2:17: the JSON is broken: a key in double quotes is expected, but \"}\" is there; correct the file"
    ),
    Bad("nothing", "", .brokenText, "seed.json:1:1: the JSON is broken: the text is empty; correct the file"),
    Bad(
      "a list at the top",
      "[]",
      .wrongShape,
      "seed.json:1: the seed is not an object whose keys are entities; write {\"entities\": [{\"key\": value}]}: a "
        + "list of objects for each entity"
    ),
    Bad(
      "an unknown entity",
      "{\"tags\": [{\"name\": \"A\"}], \"colours\": [{\"name\": \"red\"}]}",
      .unknownEntity,
      "seed.json:1: colours: the model has no entity that \"colours\" could mean; the model's entities are: "
        + "Category, Note, Tag"
    ),
    Bad(
      "a misspelt entity",
      "{\"catgory\": [{}]}",
      .unknownEntity,
      "seed.json:1: catgory: the model has no entity that \"catgory\" could mean; correct the word to \"Category\""
    ),
    Bad(
      "an unknown key",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\",\n \"colour\": 1}]}",
      .unknownKey,
      "seed.json:1: Tag record 2, key \"colour\": Tag has no property of this name; the keys of Tag are: name, notes"
    ),
    Bad(
      "a misspelt key",
      "{\"notes\": [{\"titel\": \"A\"}]}",
      .unknownKey,
      "seed.json:1: Note record 1, key \"titel\": Note has no property of this name; correct the key to \"title\""
    ),
    Bad(
      "a number for a string",
      "{\"tags\": [{\"name\": 5}]}",
      .wrongType,
      "seed.json:1: Tag record 1, key \"name\": the number 5 is no value for a String; give a string"
    ),
    Bad(
      "no date",
      "{\"notes\": [{\"title\": \"A\", \"createdAt\": \"yesterday\"}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"createdAt\": the string \"yesterday\" is no value for a Date; give seconds "
        + "since 1970, or a date such as 2018-02-07 or 2018-02-07T13:45:39Z"
    ),
    Bad(
      "a list for one",
      "{\"notes\": [{\"title\": \"A\", \"category\": [\"Swift\"]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"category\": a list is given for a relationship to one Category; give one "
        + "value, or make the relationship a to-many in the model"
    ),
    Bad(
      "a reference of the wrong type",
      "{\"notes\": [{\"title\": \"A\", \"tags\": [true]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"tags\": the boolean true is no name of a Tag; give the name of a Tag: give "
        + "a string"
    ),
    Bad(
      "null among references",
      "{\"notes\": [{\"title\": \"A\", \"tags\": [null]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"tags\": null is given in a list; give the name of a Tag"
    ),
    Bad(
      "an object for a reference",
      "{\"notes\": [{\"title\": \"A\", \"category\": {\"name\": \"B\"}}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"category\": an object is given for a relationship; give the name of a "
        + "Category"
    ),
    Bad(
      "a reference to nothing",
      "{\"tags\": [{\"name\": \"News\"}], \"notes\": [{\"title\": \"A\", \"tags\": [\"News\", \"Podcasts\"]}]}",
      .unknownReference,
      "seed.json:1: Note record 1, key \"tags\": there is no Tag with the name \"Podcasts\", neither in the seed nor "
        + "in the store; correct it, or add the Tag to the seed"
    ),
    Bad(
      "a misspelt reference",
      "{\"tags\": [{\"name\": \"News\"}], \"notes\": [{\"title\": \"A\", \"tags\": [\"news\"]}]}",
      .unknownReference,
      "seed.json:1: Note record 1, key \"tags\": there is no Tag with the name \"news\", neither in the seed nor in "
        + "the store; was \"News\" meant?"
    ),
    Bad(
      "a missing required value",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"notes\": [\n{\"contents\": \"x\"}]}",
      .invalidObject,
      "seed.json:2: Note record 1, key \"title\": the required value is missing; give one, or make it optional or "
        + "give it a default in the model"
    ),
    Bad(
      "null for a required value",
      "{\"tags\": [{\"name\": null}]}",
      .invalidObject,
      "seed.json:1: Tag record 1, key \"name\": the required value is missing; give one, or make it optional or give "
        + "it a default in the model"
    ),
    Bad(
      "two records with one natural key",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}, {\"name\": \"A\"}]}",
      .ambiguousKey,
      "seed.json:1: Tag record 3, key \"name\": record 1 has the name \"A\" as well; remove one, or name another key "
        + "in identityAttributes of the entity's user info"
    ),
    Bad(
      "a record that is no object",
      "{\"tags\": [{\"name\": \"A\"}, \"B\"]}",
      .wrongShape,
      "seed.json:1: tags record 2: the record is not an object; write {\"entities\": [{\"key\": value}]}: a list of "
        + "objects for each entity"
    ),
  ]

  @Test("a bad seed gives one exact line and changes nothing", arguments: bad, TestStore.Kind.allCases)
  func line(bad: Bad, kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed("{\"tags\": [{\"name\": \"Before\"}]}", name: "before.json")

    let error = #expect(throws: SeedError.self) { try store.seed(bad.json) }
    #expect(error?.code == bad.code)
    #expect(error?.description == bad.line)
    #expect(error?.localizedDescription == bad.line)

    #expect(try store.values("Tag", "name") == ["Before"])
    #expect(try store.count("Note") == 0)
    #expect(SeedLedger(metadata: store.metadata).entries.map(\.name) == ["before.json"])
  }

  @Test("a seed file that is missing, a folder without seeds or of another format is named")
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

  @Test("a natural key that several objects of the store have cannot be meant")
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
