import TestSupport
import Testing

@Suite("Random lives of seeded stores")
struct RandomSeedLivesTests {
  /// The number of lives for each way in one run of the tests.
  private static let lives = Soak.rounds(16)
  private static let steps = 16

  @Test(
    "random lives of seeded stores end as a plain model says, whatever seeds, users and other processes do",
    arguments: SeedWay.allCases
  )
  func lives(way: SeedWay) throws {
    for number in 0..<Self.lives {
      let isAsExpected = try RandomSeedLife(way, seed: UInt64(number)).play(Self.steps)
      if !isAsExpected { return }
    }
  }
}
