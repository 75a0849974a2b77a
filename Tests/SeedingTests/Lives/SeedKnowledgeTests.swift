import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@testable import Seeding

@Suite("Values that a merge knows from earlier runs")
struct SeedKnowledgeTests {
  private func note(_ fields: String) -> String { "{\"notes\": [{\"title\": \"1\"\(fields)}]}" }

  @Test(
    "a merge treats values from a run in any mode as the seed's, and updates them",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .createOnly, .replace]
  )
  func modes(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": note(", \"contents\": \"one\"")], mode: mode)
    let report = try way.seed(store, ["seed.json": note(", \"contents\": \"two\"")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.values("Note", "contents") == ["two"])
  }

  @Test(
    "a merge keeps a user's later changes, whatever the mode of the earlier run",
    arguments: SeedWay.allCases
  )
  func changed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": note(", \"contents\": \"one\"")])
    try store.set("Note", "title", "1", "contents", to: "mine")
    let report = try way.seed(
      store,
      ["seed.json": note(", \"contents\": \"one\", \"category\": null")],
      mode: .merge
    )
    #expect(report.conflicts == [])
    #expect(try store.values("Note", "contents") == ["mine"])
  }

  @Test(
    "a merge sets a property that the seed adds, if it still has the value of a new object",
    arguments: SeedWay.allCases
  )
  func newProperty(way: SeedWay) throws {
    let more = ", \"contents\": \"new\", \"tags\": [\"x\"]}], \"tags\": [{\"name\": \"x\"}]}"
    for isSet in [false, true] {
      let store = try way.store()
      try way.seed(store, ["seed.json": note("")], mode: .merge)
      if isSet { try store.set("Note", "title", "1", "contents", to: "mine") }
      let report = try way.seed(store, ["seed.json": "{\"notes\": [{\"title\": \"1\"" + more], mode: .merge)
      #expect(report.conflicts.map(\.key) == (isSet ? ["contents"] : []))
      #expect(try store.lines("Note", "contents", "tags.name") == [isSet ? "mine|x" : "new|x"])
    }
  }

  @Test(
    "a merge treats a value as the user's if it is not the default and no seed has set it",
    arguments: SeedWay.allCases
  )
  func defaults(way: SeedWay) throws {
    let model = TestModel.notes { $0["Note"]?.attributesByName["contents"]?.defaultValue = "none" }
    for isSet in [false, true] {
      let store = try way.store(model)
      try way.seed(store, ["seed.json": note("")], mode: .merge)
      if isSet { try store.set("Note", "title", "1", "contents", to: nil) }
      let report = try way.seed(store, ["seed.json": note(", \"contents\": \"new\"")], mode: .merge)
      #expect(report.conflicts.count == (isSet ? 1 : 0))
      #expect(try store.values("Note", "contents") == [isSet ? "-" : "new"])
    }
  }

  @Test("a merge uses the former values of a seed file that was renamed", arguments: SeedWay.allCases)
  func renamedFile(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (contents: String, category: String) in
      self.note(
        ", \"contents\": \"\(contents)\", \"category\": \"\(category)\"}], \"categories\": [{\"name\": \"\(category)\""
      )
    }
    try way.seed(store, ["old.json": seed("one", "A")], mode: .merge)
    try store.set("Note", "title", "1", "contents", to: "mine")
    let report = try way.seed(store, ["new.json": seed("one", "B")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.lines("Note", "contents", "category.name") == ["mine|B"])
  }

  @Test("a second seed can add properties to the first one's objects", arguments: SeedWay.allCases)
  func secondSeed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": note(", \"contents\": \"one\"")], mode: .merge)
    let report = try way.seed(store, ["b.json": note(", \"createdAt\": \"2024-01-01\"")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.lines("Note", "contents", "createdAt") == ["one|2024-01-01 00:00:00 +0000"])
  }

  @Test(
    "a merge finds the same objects after the header declares another natural key",
    arguments: SeedWay.allCases
  )
  func otherKey(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (key: String, contents: String) in
      """
      {"$keys": {"categories": ["\(key)"]}, "categories": [{"name": "A", "colorAsHex": "1"}],
       "notes": [{"title": "\(contents)"}]}
      """
    }
    try way.seed(store, ["seed.json": seed("name", "one")], mode: .merge)
    try store.set("Category", "name", "A", "name", to: "mine")
    let report = try way.seed(
      store,
      ["seed.json": seed("colorAsHex", "two").replacingOccurrences(of: "\"A\"", with: "\"B\"")],
      mode: .merge
    )
    // The ledger does not have a category "mine", so only the user can have set the name.
    #expect(report.conflicts.map(\.key) == ["name"])
    let other = try way.store()
    try way.seed(other, ["seed.json": seed("name", "one")], mode: .merge)
    let clean = try way.seed(
      other,
      ["seed.json": seed("colorAsHex", "two").replacingOccurrences(of: "\"A\"", with: "\"B\"")],
      mode: .merge
    )
    #expect(clean.conflicts == [])
    #expect(try other.values("Category", "name") == ["B"])
  }

  @Test("a create-only value is not recorded for existing objects", arguments: SeedWay.allCases)
  func createOnly(way: SeedWay) throws {
    let store = try way.store()
    let header = "{\"$createOnly\": {\"notes\": [\"contents\"]}, "
    try way.seed(store, ["seed.json": header + note(", \"contents\": \"one\"").dropFirst()], mode: .merge)
    try way.seed(store, ["seed.json": header + note(", \"contents\": \"two\"").dropFirst()], mode: .merge)
    let report = try way.seed(store, ["seed.json": note(", \"contents\": \"three\"")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.values("Note", "contents") == ["three"])
  }

  @Test(
    "an unchanged addition does not restore a member that a user has removed",
    arguments: SeedWay.allCases
  )
  func addition(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (contents: String, added: String) in
      """
      {"tags": [{"name": "x"}, {"name": "y"}],
       "notes": [{"title": "1", "contents": "\(contents)", "tags": {"$add": [\(added)]}}]}
      """
    }
    try way.seed(store, ["seed.json": seed("one", "\"x\"")], mode: .merge)
    try store.edit("Note", where: "title", is: "1") { note, _ in
      note.setValue(Set<NSManagedObject>(), forKey: "tags")
    }
    try way.seed(store, ["seed.json": seed("two", "\"x\"")], mode: .merge)
    #expect(try store.lines("Note", "contents", "tags.name") == ["two|"])
    try way.seed(store, ["seed.json": seed("two", "\"x\", \"y\"")], mode: .merge)
    #expect(try store.lines("Note", "contents", "tags.name") == ["two|x,y"])
  }

  @Test("any sequence of statements leaves in the ledger what a dictionary has", arguments: 1...20)
  func changes(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var draft = SeedBaselineDraft()
    var model: [UInt64: [String: UInt64]] = [:]
    var known: [[String]: StatedProperties] = [:]
    for _ in 0..<300 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where !model.isEmpty:
        draft = SeedBaselineDraft(try #require(SeedBaseline(plist: draft.baseline().plist)))
      case 1:
        let divisor = UInt64.random(in: 2...5, using: &random)
        draft = SeedBaselineDraft(draft.baseline(of: DigestList((0..<100).filter { $0 % divisor != 0 })))
        model = model.filter { $0.key % divisor != 0 }
      default:
        let key = UInt64.random(in: 0..<100, using: &random)
        let properties = (0..<4).shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
        let digests = properties.map { (property: "p\($0)", digest: UInt64.random(in: 0..<9, using: &random)) }
        let names = digests.map(\.property)
        let stated = known[names] ?? StatedProperties(names: names)
        // Most records share what they state with others.
        known[names] = Bool.random(using: &random) ? stated : nil
        // A property may be left out after all.
        let left = Bool.random(using: &random) ? Int.random(in: 0...4, using: &random) : nil
        let statement = LedgerStatement(properties: stated, digests: digests.map(\.digest))
        draft.add(statement, ofObject: key, where: left.map { left in { $0 != left } })
        for (place, (property, digest)) in digests.enumerated() where place != left {
          model[key, default: [:]][property] = digest
        }
      }
    }
    let base = draft.baseline()
    #expect(base.isEmpty == model.isEmpty)
    #expect((0..<base.count).map(base.key) == model.keys.sorted())
    for key in UInt64(0)..<100 {
      for property in base.properties {
        let digest = model[key]?[property]
        #expect(base.digest(of: property, ofObject: key) == (digest == 0 ? nil : digest))
      }
    }
  }

  @Test("many statements about few objects take no more memory than the objects")
  func repeated() {
    var draft = SeedBaselineDraft()
    let properties = StatedProperties(names: ["p", "q"])
    var most = 0
    for number in UInt64(1)...200_000 {
      draft.add(LedgerStatement(properties: properties, digests: [number, number + 1]), ofObject: number % 100)
      most = max(most, draft.rowCount)
    }
    #expect(most <= 70_000)
    let base = draft.baseline()
    #expect(base.count == 100)
    for key in UInt64(0)..<100 {
      #expect(base.digest(of: "q", ofObject: key) == (key == 0 ? 200_001 : 199_901 + key))
    }
  }

  @Test("rows of a ledger entry that another program has written in another order are read")
  func otherOrder() throws {
    let rows = PackedNumbers.write([5, 50, 9, 90, 2, 20, 9, 91, 3, 30])
    let base = try #require(SeedBaseline(plist: ["properties": ["p"], "rows": rows]))
    for (key, digest) in [5: 50, 9: 91, 2: 20, 3: 30, 4: nil] as [UInt64: UInt64?] {
      #expect(base.digest(of: "p", ofObject: key) == digest)
    }
    #expect(base.plist["rows"] as? Data == PackedNumbers.write([2, 20, 3, 30, 5, 50, 9, 91]))
  }

  @Test("a ledger entry with many properties and objects is read back unchanged")
  func base() throws {
    var draft = SeedBaselineDraft()
    for property in 0..<5 {
      for key in UInt64(1)...200 where key % UInt64(property + 1) == 0 {
        let stated = StatedProperties(names: ["p\(property)"])
        draft.add(LedgerStatement(properties: stated, digests: [key << 8 | UInt64(property + 1)]), ofObject: key)
      }
    }
    let read = try #require(SeedBaseline(plist: draft.baseline().plist))
    let even = SeedBaselineDraft(read).baseline(of: DigestList((1...200).filter { $0 % 2 == 0 }))
    for property in 0..<5 {
      for key in UInt64(1)...200 {
        let isSaid = key % UInt64(property + 1) == 0
        let digest = isSaid ? key << 8 | UInt64(property + 1) : nil
        #expect(read.digest(of: "p\(property)", ofObject: key) == digest)
        #expect(even.digest(of: "p\(property)", ofObject: key) == (key % 2 == 0 ? digest : nil))
      }
    }
  }
}
