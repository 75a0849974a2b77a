import Testing

@testable import Seeding

@Suite("Decisions on the objects of records")
struct RecordDecisionTests {
  /// The facts about a record that the decision depends on.
  struct Case: Sendable, CustomTestStringConvertible {
    var hasObject = false
    var isUnchangedSeed = false
    var isIdentifiable = true
    var isLeftOut = false
    var staysDeleted = false
    var mode = SeedMode.upsert
    var pruning = SeedPruning.none
    let expected: RecordDecision

    var decision: RecordDecision {
      .decide(
        hasObject: hasObject,
        isUnchangedSeed: isUnchangedSeed,
        isIdentifiable: isIdentifiable,
        isLeftOut: isLeftOut,
        staysDeleted: staysDeleted,
        mode: mode,
        pruning: pruning
      )
    }

    var testDescription: String { "\(self)" }
  }

  @Test(
    "a record creates a missing object, updates an existing one, and leaves both as the mode and the user ask",
    arguments: [
      Case(expected: .create),
      Case(isIdentifiable: false, expected: .create),
      Case(mode: .createOnly, expected: .create),
      Case(mode: .merge, expected: .create),
      Case(mode: .replace, expected: .create),
      Case(hasObject: true, expected: .update),
      Case(hasObject: true, mode: .merge, expected: .update),
      Case(hasObject: true, mode: .replace, expected: .update),
      Case(hasObject: true, mode: .createOnly, expected: .leave),
      // A user has deleted the object, which has come back since.
      Case(hasObject: true, staysDeleted: true, expected: .update),
      Case(staysDeleted: true, expected: .leave),
      Case(staysDeleted: true, mode: .createOnly, expected: .leave),
      Case(isLeftOut: true, expected: .leave),
      Case(hasObject: true, isLeftOut: true, expected: .leave),
    ]
  )
  func record(_ facts: Case) { #expect(facts.decision == facts.expected) }

  @Test(
    "a record of an unchanged seed changes nothing, unless pruning deletes an object that no key protects",
    arguments: [
      Case(isUnchangedSeed: true, expected: .stand),
      Case(hasObject: true, isUnchangedSeed: true, expected: .stand),
      Case(hasObject: true, isUnchangedSeed: true, mode: .createOnly, expected: .stand),
      Case(isUnchangedSeed: true, pruning: .all, expected: .stand),
      Case(isUnchangedSeed: true, isIdentifiable: false, expected: .stand),
      Case(isUnchangedSeed: true, isIdentifiable: false, pruning: .own, expected: .stand),
      Case(isUnchangedSeed: true, isIdentifiable: false, pruning: .all, expected: .create),
      Case(hasObject: true, isUnchangedSeed: true, isIdentifiable: false, pruning: .all, expected: .stand),
    ]
  )
  func unchangedSeed(_ facts: Case) { #expect(facts.decision == facts.expected) }

  @Test("the ledger is not asked about a deleted object if the object exists or the record is left out")
  func ledger() {
    var questions = 0
    func staysDeleted() -> Bool {
      questions += 1
      return true
    }
    for (hasObject, isLeftOut) in [(true, false), (false, true), (true, true)] {
      _ = RecordDecision.decide(
        hasObject: hasObject,
        isUnchangedSeed: false,
        isIdentifiable: true,
        isLeftOut: isLeftOut,
        staysDeleted: staysDeleted(),
        mode: .upsert,
        pruning: .none
      )
    }
    #expect(questions == 0)
  }

  @Test("only created and updated objects get the values of their records")
  func writes() {
    #expect(RecordDecision.create.writes)
    #expect(RecordDecision.update.writes)
    #expect(!RecordDecision.leave.writes)
    #expect(!RecordDecision.stand.writes)
  }

  @Test("each outcome of a record is counted once, and records of unchanged seeds are not counted")
  func counts() {
    var counts: [String: SeedReport.Counts] = [:]
    for outcome in [RecordOutcome.created, .updated, .unchanged, .left] { counts.count(outcome, of: "Note") }
    counts.count(.standing, of: "Other")
    counts.count(deleted: ["Note": 3, "Tag": 0])
    var expected = SeedReport.Counts()
    (expected.created, expected.updated, expected.unchanged, expected.skipped) = (1, 1, 1, 1)
    expected.deleted = 3
    #expect(counts == ["Note": expected])
  }

  @Test("a record that turns out to differ moves from unchanged to updated")
  func recount() {
    var counts: [String: SeedReport.Counts] = [:]
    counts.count(.unchanged, of: "Note")
    counts.count(.unchanged, of: "Note", by: -1)
    counts.count(.updated, of: "Note")
    #expect(counts["Note"]?.unchanged == 0)
    #expect(counts["Note"]?.updated == 1)
  }
}
