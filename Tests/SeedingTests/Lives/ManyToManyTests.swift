import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Many-to-many relationships that records set from both sides")
struct ManyToManyTests {
  private static let seeds: [String] = [
    // A list on each side.
    """
    {"tags": [{"name": "t", "notes": ["b"]}],
     "notes": [{"title": "a", "tags": ["t"]}, {"title": "b"}]}
    """,
    // The same lists in reverse order.
    """
    {"notes": [{"title": "a", "tags": ["t"]}, {"title": "b"}],
     "tags": [{"name": "t", "notes": ["b"]}]}
    """,
    // A list on one side, an addition on the other.
    """
    {"tags": [{"name": "t", "notes": ["b"]}],
     "notes": [{"title": "a", "tags": {"$add": ["t"]}}, {"title": "b"}]}
    """,
    """
    {"tags": [{"name": "t", "notes": {"$add": ["b"]}}],
     "notes": [{"title": "a", "tags": ["t"]}, {"title": "b"}]}
    """,
  ]

  @Test(
    "links from both sides of a many-to-many relationship are combined, and a second run changes nothing",
    arguments: SeedWay.allCases,
    0..<seeds.count
  )
  func added(way: SeedWay, number: Int) throws {
    for mode in [SeedMode.upsert, .merge, .replace] {
      let store = try way.store()
      let seed = Self.seeds[number]
      try way.seed(store, ["seed.json": seed], mode: mode)
      #expect(try store.noteLines() == ["a|-|t", "b|-|t"])
      guard mode != .replace else { continue }
      let report = try way.seed(store, ["seed.json": seed], mode: mode, policy: .always)
      #expect(report.total.unchanged == 3)
      #expect(try store.noteLines() == ["a|-|t", "b|-|t"])
    }
  }

  @Test("a many-to-many link that neither side contains any more is removed", arguments: SeedWay.allCases)
  func takenOut(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (notesOfT: String, tagsOfA: String) in
      """
      {"tags": [{"name": "t", "notes": [\(notesOfT)]}],
       "notes": [{"title": "a", "tags": [\(tagsOfA)]}, {"title": "b", "tags": []}, {"title": "c"}]}
      """
    }
    try way.seed(store, ["seed.json": seed("\"b\", \"c\"", "\"t\"")])
    #expect(try store.noteLines() == ["a|-|t", "b|-|t", "c|-|t"])
    try way.seed(store, ["seed.json": seed("\"c\"", "")])
    #expect(try store.noteLines() == ["a|-|", "b|-|", "c|-|t"])
  }

  @Test("the combined links of both sides are not a user's change in a merge", arguments: SeedWay.allCases)
  func merged(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (more: String) in
      """
      {"tags": [{"name": "t", "notes": ["b"\(more)]}],
       "notes": [{"title": "a", "tags": ["t"]}, {"title": "b"}, {"title": "c"}]}
      """
    }
    try way.seed(store, ["seed.json": seed("")], mode: .merge)
    let report = try way.seed(store, ["seed.json": seed(", \"c\"")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.noteLines() == ["a|-|t", "b|-|t", "c|-|t"])
    try store.edit("Note", where: "title", is: "a") { note, _ in
      note.setValue(Set<NSManagedObject>(), forKey: "tags")
    }
    let again = try way.seed(store, ["seed.json": seed(", \"c\"") + " "], mode: .merge)
    #expect(again.conflicts == [])
    #expect(try store.noteLines() == ["a|-|", "b|-|t", "c|-|t"])
  }

  @Test(
    "a merged addition does not restore a link of the other side that a user has removed",
    arguments: SeedWay.allCases
  )
  func mergedAddition(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (added: String) in
      """
      {"tags": [{"name": "t", "notes": ["a"]}, {"name": "x"}, {"name": "y"}],
       "notes": [{"title": "a", "tags": {"$add": ["\(added)"]}}]}
      """
    }
    try way.seed(store, ["seed.json": seed("x")], mode: .merge)
    #expect(try store.noteLines() == ["a|-|t,x"])
    try store.delete(linkFrom: "a", to: "t")
    let report = try way.seed(store, ["seed.json": seed("y")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.noteLines() == ["a|-|x,y"])
  }

  @Test(
    "links of another, unchanged seed of the run stay",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func standingSeed(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store()
    let other = "{\"notes\": [{\"title\": \"b\", \"tags\": [\"t\"]}]}"
    for contents in ["one", "two"] {
      let seed = """
        {"tags": [{"name": "t", "notes": ["a"]}], "notes": [{"title": "a", "contents": "\(contents)"}]}
        """
      let report = try way.seed(store, ["a.json": seed, "b.json": other], mode: mode)
      #expect(report.conflicts == [])
      #expect(try store.noteLines() == ["a|-|t", "b|-|t"])
    }
  }

  @Test(
    "an import that starts again to read an unchanged seed leaves nothing of the first attempt",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func attemptMadeAgain(way: SeedWay, mode: SeedMode) throws {
    let step = makeEntity("Step", makeAttribute("text", .stringAttributeType))
    let notes = TestModel.notes()
    let note = try #require(notes.entitiesByName["Note"])
    relate(note, "steps", isToMany: true, step, "note", isToMany: false)
    note.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule
    notes.entities.append(step)
    let store = try way.store(notes)
    let other = "{\"notes\": [{\"title\": \"b\", \"tags\": [\"t\"]}]}"
    let first = "{\"tags\": [{\"name\": \"t\"}], \"notes\": [{\"title\": \"a\", \"tags\": [\"t\"]}]}"
    let second = """
      {"tags": [{"name": "t"}],
       "notes": [{"title": "a", "tags": [], "steps": [{"text": "1"}]}, {"title": "c", "steps": [{"text": "2"}]}]}
      """
    try way.seed(store, ["a.json": first, "b.json": other], mode: mode)
    let report = try way.seed(store, ["a.json": second, "b.json": other], mode: mode)
    #expect(report.entities["Note"]?.created == 1)
    #expect(report.entities["Step"]?.created == 2)
    #expect(try store.noteLines() == ["a|-|", "b|-|t", "c|-|"])
    #expect(try store.lines("Step", "text", "note.title") == ["1|a", "2|c"])
  }

  @Test("in an ordered relationship, links from the other side are appended", arguments: SeedWay.allCases)
  func ordered(way: SeedWay) throws {
    let list = makeEntity("Playlist", makeAttribute("name", .stringAttributeType))
    let song = makeEntity("Song", makeAttribute("name", .stringAttributeType))
    relate(list, "songs", isToMany: true, isOrdered: true, song, "lists", isToMany: true)
    let store = try way.store(makeModel([list, song]))
    let seed = """
      {"songs": [{"name": "1", "lists": ["p"]}, {"name": "2"}, {"name": "3"}],
       "playlists": [{"name": "p", "songs": ["3", "2"]}]}
      """
    try way.seed(store, ["seed.json": seed])
    #expect(try store.lines("Playlist", "songs.name") == ["3,2,1"])
    #expect(try way.seed(store, ["seed.json": seed], policy: .always).total.unchanged == 4)
  }

  @Test("a relationship that is its own inverse can be set from both sides", arguments: SeedWay.allCases)
  func ownInverse(way: SeedWay) throws {
    let person = makeEntity("Person", makeAttribute("name", .stringAttributeType))
    let friends = makeRelationship("friends", to: person, toMany: true)
    friends.inverseRelationship = friends
    person.properties.append(friends)
    let store = try way.store(makeModel([person]))
    let seed = """
      {"people": [{"name": "a", "friends": ["b"]}, {"name": "b", "friends": ["c"]}, {"name": "c"}]}
      """
    try way.seed(store, ["seed.json": seed])
    #expect(try store.lines("Person", "name", "friends.name") == ["a|b", "b|a,c", "c|b"])
    #expect(try way.seed(store, ["seed.json": seed], policy: .always).total.unchanged == 3)
  }

  @Test(
    "a link that one side adds and the other removes is an error that names both",
    arguments: SeedWay.allCases,
    ["[\"t\"]", "{\"$add\": [\"t\"]}"]
  )
  func contradiction(way: SeedWay, tags: String) throws {
    let store = try way.store()
    let seed = """
      {"tags": [
      {"name": "t", "notes": {"$remove": ["a"]}}],
      "notes": [
      {"title": "a", "tags": \(tags)}]}
      """
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed]) }
    #expect(error?.code == .contradiction)
    let lines = Set([error?.position?.line ?? 0, 2, 4])
    #expect(lines == [2, 4])
    let other = error?.position?.line == 2 ? 4 : 2
    #expect(error?.problem.contains("by seed.json:\(other): ") == true, "\(error?.description ?? "")")
    #expect(try store.count("Note") == 0)
  }
}

extension TestStore {
  /// Removes a tag from a note, as a user does.
  fileprivate func delete(linkFrom title: String, to tag: String) throws {
    try edit("Note", where: "title", is: title) { note, _ in
      let tags = note.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      note.setValue(tags.filter { $0.value(forKey: "name") as? String != tag }, forKey: "tags")
    }
  }
}
