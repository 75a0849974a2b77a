import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Records with errors")
struct SeedFailureTests {
  @discardableResult
  private func report(
    _ json: String,
    in store: TestStore,
    name: String = "seed.json",
    mode: SeedMode = .upsert,
    policy: SeedPolicy = .always
  ) throws -> SeedReport {
    try Seeder(.data(Data(json.utf8), name: name), mode: mode, policy: policy, onFailure: .skipRecord)
      .inPieces.runAndWait(in: store.coordinator)
  }

  private static let mixed = """
    {"tags": [{"name": "A"}, {"name": 5}, {"name": "A"}, {}, {"$id": "x", "nam": "B"}],
     "notes": [
       {"title": "fine", "tags": ["A"]}, {"title": "lost", "tags": ["Z"]}, {"title": "label", "tags": [{"$ref": "x"}]},
       {"title": "nested", "tags": [{"name": "In", "foo": 1}]}, {"title": "again", "tags": [{"name": "In"}]}
     ]}
    """

  @Test(
    "records with errors are left out and reported, and all others are imported",
    arguments: TestStore.Kind.allCases
  )
  func mixed(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let report = try report(Self.mixed, in: store)
    #expect(report.description == "Note: 2 created, 3 failed\nTag: 2 created, 4 failed")
    #expect(try store.values("Tag", "name") == ["A", "In"])
    #expect(try store.noteLines() == ["again|-|In", "fine|-|A"])
    let codes = report.failures.map(\.code)
    #expect(
      codes == [
        .wrongType, .ambiguousKey, .invalidObject, .unknownKey, .unknownReference, .unknownReference,
        .unknownKey,
      ]
    )
    #expect(report.failures.allSatisfy { $0.position?.line != nil })
  }

  @Test(
    "records that refer to a failed record are left out with it, directly or indirectly",
    arguments: TestStore.Kind.allCases
  )
  func cascade(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let json = """
      {"categories": [{"name": "c", "colorAsHex": 1}], "tags": [{"name": "t", "notes": ["n"]}, {"name": "u"}],
       "notes": [{"title": "n", "category": "c"}, {"title": "o", "tags": ["t"]}, {"title": "p", "tags": ["u"]}]}
      """
    let report = try report(json, in: store)
    #expect(report.total.failed == 4 && report.total.created == 2)
    #expect(try store.noteLines() == ["p|-|u"])
    #expect(try store.values("Tag", "name") == ["u"])
  }

  @Test("a failed record leaves its existing object unchanged", arguments: TestStore.Kind.allCases)
  func present(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed("{\"notes\": [{\"title\": \"n\", \"contents\": \"old\"}, {\"title\": \"m\"}]}")
    let json = """
      {"notes": [{"title": "n", "contents": "new", "tags": ["none"]}, {"title": "m", "contents": "new"}]}
      """
    let report = try report(json, in: store)
    #expect(report.total.failed == 1 && report.total.updated == 1)
    #expect(try store.lines("Note", "title", "contents") == ["m|new", "n|old"])
  }

  @Test("a preview reports records with errors, too, and changes nothing")
  func preview() throws {
    let store = try TestStore()
    let seeder = Seeder(.data(Data(Self.mixed.utf8), name: "seed.json"), onFailure: .skipRecord)
    let preview = try seeder.preview(in: store.coordinator)
    #expect(preview.report.total.failed == 7 && preview.changes.count == 4)
    #expect(try store.count("Note") == 0)
  }

  @Test("records with errors are left out when seeding through a context, whose own changes stay")
  func context() throws {
    let store = try TestStore()
    let context = store.newContext()
    context.performAndWait {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("Own", forKey: "name")
    }
    let seeder = Seeder(.data(Data(Self.mixed.utf8), name: "seed.json"), onFailure: .skipRecord)
    #expect(try seeder.runAndWait(with: context).total.failed == 7)
    #expect(try store.values("Tag", "name") == ["A", "In", "Own"])
  }

  @Test("records with errors are left out of chunked imports, with the same result as a seed without them")
  func streamed() throws {
    let count = 1225
    func line(_ number: Int, isWrong: Bool) -> String? {
      let title = "n\(number)"
      switch number % 125 {
      case 5: return isWrong ? "{\"$entity\": \"notes\", \"titel\": \"\(title)\"}" : nil
      case 6: return isWrong ? "{\"$entity\": \"notes\", \"title\": \"\(title)\", \"tags\": [\"none\"]}" : nil
      case 7: return isWrong ? "{\"$entity\": \"notes\", \"title\": \"n1\"}" : nil
      case 8: return isWrong ? "{\"$entity\": \"notes\", \"contents\": \"x\"}" : nil
      case 9:
        return isWrong
          ? "{\"$entity\": \"notes\", \"title\": \"\(title)\", \"tags\": [\"later\", \"wrong\"]}" : nil
      case 10: return "{\"$entity\": \"notes\", \"title\": \"\(title)\", \"tags\": [\"later\"]}"
      default: return "{\"$entity\": \"notes\", \"title\": \"\(title)\", \"contents\": \"text\"}"
      }
    }
    let tags = "{\"$entity\": \"tags\", \"name\": \"later\"}\n"
    let wrongTag = "{\"$entity\": \"tags\", \"name\": \"wrong\", \"notes\": 5.5}\n"
    let texts = [true, false].map { isWrong in
      (0..<count).compactMap { line($0, isWrong: isWrong) }.joined(separator: "\n") + "\n" + tags
    }
    let (store, clean) = (try TestStore(.sqlite), try TestStore(.sqlite))
    let report = try report(texts[0] + wrongTag, in: store, name: "seed.jsonl")
    try self.report(texts[1], in: clean, name: "seed.jsonl")
    #expect(report.entities["Note"]?.failed == 50 && report.entities["Tag"]?.failed == 1)
    #expect(report.failures.count == 51)
    #expect(try store.noteLines() == clean.noteLines())
    let entry = SeedLedger(metadata: store.metadata).entries.last
    #expect(entry?.records == ["Note": count - 50, "Tag": 1])
  }

  @Test("records with errors are left out of reference cycles, and where existing objects stay unchanged")
  func streamedCircle() throws {
    let count = Seeder.manyRecords
    func text(isWrong: Bool) -> String {
      var lines = ["{\"$entity\": \"tags\", \"name\": \"t\", \"notes\": [\"n7\", \"n\(count - 1)\"]}"]
      if isWrong { lines.append("{\"$entity\": \"tags\", \"name\": \"bad\", \"notes\": [\"n3\", \"none\"]}") }
      for number in 0..<count {
        switch number {
        case 5, count - 2:
          if isWrong {
            lines.append("{\"$entity\": \"notes\", \"title\": \"n\(number)\", \"tags\": [\"bad\"]}")
          }
        case 7: lines.append("{\"$entity\": \"notes\", \"title\": \"n7\", \"tags\": [\"t\"]}")
        default: lines.append("{\"$entity\": \"notes\", \"title\": \"n\(number)\"}")
        }
      }
      return lines.joined(separator: "\n")
    }
    let (store, clean) = (try TestStore(.sqlite), try TestStore(.sqlite))
    let first = try report(text(isWrong: true), in: store, name: "seed.jsonl")
    try report(text(isWrong: false), in: clean, name: "seed.jsonl")
    #expect(first.entities["Note"]?.failed == 2 && first.entities["Tag"]?.failed == 1)
    #expect(first.failures.allSatisfy { $0.code == .unknownReference })
    #expect(try store.noteLines() == clean.noteLines())
    #expect(try store.values("Tag", "name") == ["t"])
    let second = try report(text(isWrong: true), in: store, name: "seed.jsonl", mode: .createOnly)
    #expect(second.total.failed == 3 && second.total.skipped == count - 1 && second.total.created == 0)
    #expect(try store.noteLines() == clean.noteLines())
  }

  @Test(
    "a failed record ends the run in profiles that would delete its object",
    arguments: [SeedProfile.reference, .sync, .reset]
  )
  func deleting(_ profile: SeedProfile) throws {
    let store = try TestStore()
    try store.seed("{\"tags\": [{\"name\": \"Old\"}]}")
    let source = SeedSource.data(Data(Self.mixed.utf8), name: "mixed.json")
    var seeder = Seeder(source, profile: profile, onFailure: .skipRecord)
    seeder.allowsReset = true
    let error = #expect(throws: SeedError.self) { try seeder.runAndWait(in: store.coordinator) }
    #expect(error?.code == .wrongType)
    #expect(try store.values("Tag", "name") == ["Old"])
  }

  @Test(
    "skipping records with errors does not skip errors of the whole seed or of the store",
    arguments: TestStore.Kind.allCases
  )
  func unsound(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    for broken in [
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": ]}", "{\"$keys\": 5, \"tags\": [{\"name\": \"A\"}]}",
    ] {
      #expect(throws: SeedError.self) { try report(broken, in: store) }
    }
    #expect(try store.count("Tag") == 0)
  }

  @Test("records with errors are not tried again while the seed is unchanged")
  func ledger() throws {
    let store = try TestStore()
    _ = try report(Self.mixed, in: store, policy: .oncePerContent)
    let second = try report(Self.mixed, in: store, policy: .oncePerContent)
    #expect(second.description == "Note: 2 skipped\nTag: 2 skipped" && second.failures.isEmpty)
  }
}
