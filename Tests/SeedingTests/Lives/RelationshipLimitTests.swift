import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("The limits of to-many relationships in seeds")
struct RelationshipLimitTests {
  /// Teams of one or two players.
  private static func model() -> NSManagedObjectModel {
    let team = makeEntity("Team", makeAttribute("name", .stringAttributeType))
    let player = makeEntity("Player", makeAttribute("name", .stringAttributeType))
    relate(team, "players", isToMany: true, player, "team", isToMany: false)
    team.relationshipsByName["players"]?.isOptional = false
    team.relationshipsByName["players"]?.minCount = 1
    team.relationshipsByName["players"]?.maxCount = 2
    return makeModel([team, player])
  }

  private func players(_ names: String...) -> String {
    "\"players\": [\(names.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]"
  }

  @Test(
    "the limits of a to-many relationship are checked when another record takes its last object, from either side",
    arguments: SeedWay.allCases
  )
  func tooFew(way: SeedWay) throws {
    for other in [
      "{\"teams\": [{\"name\": \"u\", \"players\": [\"a\"]}]}",
      "{\"teams\": [{\"name\": \"u\"}], \"players\": [{\"name\": \"a\", \"team\": \"u\"}]}",
    ] {
      let store = try way.store(Self.model())
      try way.seed(
        store,
        ["x.json": "{\"teams\": [{\"name\": \"t\", \"players\": [\"a\"]}], \(players("a"))}"]
      )
      let error = #expect(throws: SeedError.self) { try way.seed(store, ["y.json": other]) }
      #expect(error?.code == .invalidObject)
      #expect(try store.lines("Team", "name", "players.name") == ["t|a"])
    }
  }

  @Test(
    "the maximum of a to-many relationship is checked when the other side exceeds it",
    arguments: SeedWay.allCases
  )
  func tooMany(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(
      store,
      ["x.json": "{\"teams\": [{\"name\": \"t\", \"players\": [\"a\", \"b\"]}], \(players("a", "b"))}"]
    )
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["y.json": "{\"players\": [{\"name\": \"c\", \"team\": \"t\"}]}"])
    }
    #expect(error?.code == .invalidObject)
    #expect(try store.lines("Team", "name", "players.name") == ["t|a,b"])
  }

  @Test(
    "the limits of to-many relationships are checked after pruning",
    arguments: SeedWay.allCases,
    [SeedPruning.own, .all]
  )
  func pruned(way: SeedWay, pruning: SeedPruning) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["x.json": "{\"teams\": [{\"name\": \"t\", \"players\": [\"a\"]}], \(players("a"))}"])
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["x.json": "{\"teams\": [{\"name\": \"t\"}], \"players\": []}"]) {
        $0.pruning = pruning
      }
    }
    #expect(error?.code == .invalidObject)
    #expect(try store.lines("Team", "name", "players.name") == ["t|a"])
  }

  @Test(
    "the check of relationship limits does not depend on the order of records",
    arguments: SeedWay.allCases
  )
  func order(way: SeedWay) throws {
    let store = try way.store(Self.model())
    // The team's record comes before those of the players that claim to belong to it.
    try way.seed(
      store,
      [
        "x.json": """
        {"teams": [{"name": "t"}, {"name": "u"}],
         "players": [{"name": "a", "team": "t"}, {"name": "b", "team": "t"}, {"name": "c", "team": "u"}]}
        """
      ]
    )
    #expect(try store.lines("Team", "name", "players.name") == ["t|a,b", "u|c"])
    // A player leaves before another one joins.
    try way.seed(
      store,
      [
        "x.json": """
        {"teams": [{"name": "t"}, {"name": "u"}],
         "players": [{"name": "c", "team": "t"}, {"name": "a", "team": "u"}, {"name": "b", "team": "u"}]}
        """
      ]
    )
    #expect(try store.lines("Team", "name", "players.name") == ["t|c", "u|a,b"])
  }
}
