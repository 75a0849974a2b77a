import Testing

@testable import Seeding

@Suite("Decisions on values of existing objects")
struct ValueDecisionTests {
  /// The facts about a value that the decision depends on. The object has another value than the
  /// record.
  struct Case: Sendable, CustomTestStringConvertible {
    var isCreateOnly = false
    var isMerged = true
    var said: [UInt64] = []
    var new: UInt64? = 1
    var present: UInt64? = 2
    var isUntouched = false
    var policy = SeedConflictPolicy.keepStore
    let expected: ValueDecision

    var decision: ValueDecision {
      .decide(
        isCreateOnly: isCreateOnly,
        isMerged: isMerged,
        said: said,
        new: { new },
        present: { present },
        isUntouched: { isUntouched },
        policy: policy
      )
    }

    var change: ValueDecision {
      .decideChange(isCreateOnly: isCreateOnly, isMerged: isMerged, said: said, new: { new })
    }

    var testDescription: String { "\(self)" }
  }

  @Test(
    "a value is applied, left or in conflict by what the seeds have said before",
    arguments: [
      // An upsert compares with no earlier value.
      Case(isMerged: false, expected: .apply),
      Case(isMerged: false, said: [1], expected: .apply),
      Case(isCreateOnly: true, isMerged: false, expected: .leave),
      Case(isCreateOnly: true, said: [2], expected: .leave),
      // No seed has set the property.
      Case(isUntouched: true, expected: .apply),
      Case(expected: .conflict(isSeedTaken: false)),
      Case(policy: .takeSeed, expected: .conflict(isSeedTaken: true)),
      // The seed still has its value, so that the user has changed the object's.
      Case(said: [1], expected: .leave),
      Case(said: [1], policy: .takeSeed, expected: .leave),
      Case(said: [1], isUntouched: true, expected: .leave),
      // The object still has the seed's value, so that the seed has changed.
      Case(said: [2], expected: .apply),
      Case(said: [3, 2], expected: .apply),
      // The seed's own former value goes before the object's.
      Case(said: [1, 2], expected: .leave),
      // Both have changed.
      Case(said: [3], expected: .conflict(isSeedTaken: false)),
      Case(said: [3], policy: .takeSeed, expected: .conflict(isSeedTaken: true)),
      Case(said: [3], isUntouched: true, expected: .conflict(isSeedTaken: false)),
      // Values without a digest equal no earlier value.
      Case(said: [1], new: nil, expected: .conflict(isSeedTaken: false)),
      Case(said: [2], new: nil, expected: .apply),
      Case(said: [2], present: nil, expected: .conflict(isSeedTaken: false)),
    ]
  )
  func value(_ facts: Case) { #expect(facts.decision == facts.expected) }

  @Test(
    "additions to a list and removals from it are applied once in a merge, and always otherwise",
    arguments: [
      Case(expected: .apply),
      Case(said: [3], expected: .apply),
      Case(said: [1], expected: .leave),
      Case(said: [3, 1], expected: .leave),
      Case(isMerged: false, said: [1], expected: .apply),
      Case(said: [1], new: nil, expected: .apply),
      Case(isCreateOnly: true, expected: .leave),
      Case(isCreateOnly: true, isMerged: false, expected: .leave),
    ]
  )
  func change(_ facts: Case) { #expect(facts.change == facts.expected) }

  @Test("digests are not computed for values that are not merged")
  func digests() {
    var questions = 0
    func digest() -> UInt64? {
      questions += 1
      return nil
    }
    for isCreateOnly in [false, true] {
      _ = ValueDecision.decide(
        isCreateOnly: isCreateOnly,
        isMerged: false,
        said: [1],
        new: digest,
        present: digest,
        isUntouched: { digest() == nil },
        policy: .takeSeed
      )
    }
    #expect(questions == 0)
  }

  @Test("the object gets the seed's value if it is applied or if the seed wins the conflict")
  func applies() {
    #expect(ValueDecision.apply.applies)
    #expect(ValueDecision.conflict(isSeedTaken: true).applies)
    #expect(!ValueDecision.conflict(isSeedTaken: false).applies)
    #expect(!ValueDecision.leave.applies)
  }
}
