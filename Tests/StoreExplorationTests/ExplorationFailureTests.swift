import Foundation
import StoreExploration
import Testing

@Suite struct ExplorationFailureTests {
  @Test func `A failure is one line whose control characters are spelled`() {
    let failure = ExplorationFailure(
      code: .unknownName,
      problem: "there is no \"a\u{1B}[2Jb\nc\"",
      remedy: "write a name"
    )
    #expect(failure.description == "there is no \"a\\u{1B}[2Jb c\"; write a name")
    #expect(failure.localizedDescription == failure.description)
  }
}
