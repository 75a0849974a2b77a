import CoreData
import Foundation
import TestModels
import Testing

@testable import CoreData

@Suite("The limits of to-many relationships")
struct RelationshipCountTests {
  /// Teams of two or three players, and benches and clubs with a limit of two.
  private enum TeamModel {
    static let shared = make()

    private static func make() -> NSManagedObjectModel {
      let team = makeEntity("Team", makeAttribute("name"))
      let player = makeEntity("Player", makeAttribute("name"))
      relate(team, "members", isToMany: true, player, "team", isToMany: false)
      relate(team, "bench", isToMany: true, isOrdered: true, player, "benchOf", isToMany: false)
      relate(team, "fans", isToMany: true, player, "idols", isToMany: true)
      for (name, least, most) in [("members", 2, 3), ("bench", 0, 2), ("fans", 0, 2)] {
        let relationship = team.relationshipsByName[name]
        relationship?.minCount = least
        relationship?.maxCount = most
      }
      let model = NSManagedObjectModel()
      model.entities = [team, player]
      return model
    }
  }

  /// The destinations that a context has loaded when the other side changes.
  enum Knowledge: CaseIterable, Sendable {
    /// The context created the objects.
    case own
    /// The context has read the destinations.
    case asked
    /// The context has not read the destinations.
    case notAsked
  }

  private struct Teams {
    let stack: Stack
    let team: NSManagedObject
    let other: NSManagedObject
    /// Five players: the first three are members of the team, the other two of the other team.
    let players: [NSManagedObject]

    func player(_ index: Int, set key: String, _ value: NSManagedObject?) {
      players[index].setValue(value, forKey: key)
    }
  }

  private func teams(_ kind: StoreKind, _ knowledge: Knowledge) throws -> Teams {
    let stack = try Stack(kind, model: TeamModel.shared)
    let teams = ["one", "other"].map { stack.make("Team", $0) }
    var players = (0..<8).map { stack.make("Player", "\($0)") }
    for (index, player) in players.prefix(5).enumerated() {
      player.setValue(teams[index < 3 ? 0 : 1], forKey: "team")
    }
    for player in players[5...6] {
      player.setValue(teams[0], forKey: "benchOf")
      player.setValue(NSSet(object: teams[0]), forKey: "idols")
    }
    try stack.save()
    if knowledge == .own { return Teams(stack: stack, team: teams[0], other: teams[1], players: players) }
    stack.context.reset()
    players = try stack.context.all("Player")
    let found = try stack.context.all("Team")
    if knowledge == .asked {
      for team in found {
        for key in ["members", "bench", "fans"] { _ = team.names(key) }
      }
    }
    return Teams(stack: stack, team: found[0], other: found[1], players: players)
  }

  private func expectFailure(
    _ teams: Teams,
    _ code: Int,
    _ key: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let error = try #require(
      #expect(throws: NSError.self, sourceLocation: location) { try teams.stack.context.save() }
    )
    #expect(error.code == code, "\(error)", sourceLocation: location)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key, sourceLocation: location)
    #expect(
      error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === teams.team,
      sourceLocation: location
    )
  }

  @Test("limits hold if too many objects set the inverse", arguments: StoreKind.allCases, Knowledge.allCases)
  func tooMany(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    teams.player(7, set: "team", teams.team)
    try expectFailure(teams, NSValidationRelationshipExceedsMaximumCountError, "members")
    teams.player(0, set: "team", nil)
    try teams.stack.save()
    #expect(try teams.stack.saved("Team", "one")?.namesIn("members") == ["1", "2", "7"])
  }

  @Test("limits hold if objects clear the inverse", arguments: StoreKind.allCases, Knowledge.allCases)
  func tooFew(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    teams.player(0, set: "team", nil)
    try teams.stack.save()
    teams.player(1, set: "team", nil)
    try expectFailure(teams, NSValidationRelationshipLacksMinimumCountError, "members")
    // An optional relationship may be empty.
    teams.player(2, set: "team", nil)
    try teams.stack.save()
    #expect(try teams.stack.saved("Team", "one")?.namesIn("members") == [])
  }

  @Test("limits hold if destinations are deleted", arguments: StoreKind.allCases, Knowledge.allCases)
  func deleted(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    for player in teams.players[0...1] { teams.stack.context.delete(player) }
    try expectFailure(teams, NSValidationRelationshipLacksMinimumCountError, "members")
    teams.player(7, set: "team", teams.team)
    try teams.stack.save()
    #expect(try teams.stack.saved("Team", "one")?.namesIn("members") == ["2", "7"])
  }

  @Test("limits hold on both sides of a move", arguments: StoreKind.allCases, Knowledge.allCases)
  func moved(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    for index in 3...4 { teams.player(index, set: "team", teams.team) }
    for index in 0...2 { teams.player(index, set: "team", teams.other) }
    try teams.stack.save()
    teams.player(3, set: "team", teams.other)
    let error = try #require(#expect(throws: NSError.self) { try teams.stack.context.save() })
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    #expect(
      Set(details.map(\.code)) == [
        NSValidationRelationshipExceedsMaximumCountError, NSValidationRelationshipLacksMinimumCountError,
      ]
    )
  }

  @Test("limits hold for ordered relationships", arguments: StoreKind.keepingRules, Knowledge.allCases)
  func ordered(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    teams.player(0, set: "benchOf", teams.team)
    try expectFailure(teams, NSValidationRelationshipExceedsMaximumCountError, "bench")
    teams.player(5, set: "benchOf", nil)
    try teams.stack.save()
    #expect(try teams.stack.saved("Team", "one")?.namesIn("bench").sorted() == ["0", "6"])
  }

  @Test("limits hold if both sides are to-many", arguments: StoreKind.allCases, Knowledge.allCases)
  func toMany(_ kind: StoreKind, _ knowledge: Knowledge) throws {
    let teams = try teams(kind, knowledge)
    teams.players[0].mutableSetValue(forKey: "idols").add(teams.team)
    try expectFailure(teams, NSValidationRelationshipExceedsMaximumCountError, "fans")
    teams.players[5].mutableSetValue(forKey: "idols").remove(teams.team)
    try teams.stack.save()
    #expect(try teams.stack.saved("Team", "one")?.namesIn("fans") == ["0", "6"])
  }

  @Test("limits are not checked for unchanged relationships", arguments: StoreKind.inSQL)
  func untouched(_ kind: StoreKind) throws {
    let teams = try teams(kind, .notAsked)
    teams.team.setValue("renamed", forKey: "name")
    try teams.stack.save()
    for key in ["members", "bench", "fans"] {
      #expect(teams.team.hasFault(forRelationshipNamed: key))
    }
  }
}
