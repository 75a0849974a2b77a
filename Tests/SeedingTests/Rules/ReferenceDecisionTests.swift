import Testing

@testable import Seeding

@Suite("Decisions on relationships of existing objects")
struct ReferenceDecisionTests {
  @Test(
    "a relationship is kept, left or written, and unread seeds are read before a link is removed",
    arguments: [
      (true, true, true, ReferenceDecision.keep), (true, false, false, .keep), (false, false, true, .leave),
      (false, false, false, .leave), (false, true, false, .write), (false, true, true, .readUnchangedSeeds),
    ]
  )
  func reference(isSame: Bool, applies: Bool, removesUnreadLinks: Bool, expected: ReferenceDecision) {
    let decision = ReferenceDecision.decide(
      isSame: isSame,
      applies: applies,
      removesUnreadLinks: removesUnreadLinks
    )
    #expect(decision == expected)
  }

  @Test("a merge is not asked about a relationship that has the record's members already")
  func same() {
    var questions = 0
    func isAsked() -> Bool {
      questions += 1
      return true
    }
    let decision = ReferenceDecision.decide(isSame: true, applies: isAsked(), removesUnreadLinks: isAsked())
    #expect(decision == .keep)
    #expect(questions == 0)
  }
}
