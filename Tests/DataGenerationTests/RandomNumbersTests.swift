import Foundation
import Testing

@testable import DataGeneration

@Suite("Numbers that follow from a seed")
struct RandomNumbersTests {
  @Test("SplitMix64 gives the numbers that its authors' program gives for 1234567")
  func vector() {
    var random = RandomNumbers(1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ]
    )
  }

  @Test(
    "a permutation reaches every number below its bound once",
    arguments: [1, 2, 3, 4, 10, 97, 360, 1024]
  )
  func permutation(bound: UInt64) {
    for seed in [nil, 0, 1, 42] as [UInt64?] {
      let order = Permutation(bound, seed: seed)
      #expect(Set((0..<bound).map { order($0) }) == Set(0..<bound))
    }
  }

  @Test("a permutation of all numbers maps none to another's")
  func wide() {
    let order = Permutation(.max, seed: 7)
    #expect(Set((0..<10_000).map { order($0) }).count == 10_000)
  }

  @Test(
    "dates are spelled as Foundation spells them",
    arguments: [0, 951_782_400, 1_709_164_800, -946_771_200, 1_704_067_199]
  )
  func dates(seconds: Int64) {
    #expect(DateText.of(seconds) == Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601))
  }

  @Test("each link starts where the previous one ends")
  func starts() {
    for counts in [3...3, 1...5, 0...2] {
      var expected: UInt64 = 0
      for source in 0..<50 as Range<UInt64> {
        #expect(LinkPlan.start(of: source, counts: counts) == expected)
        expected += UInt64(counts.lowerBound) + source % UInt64(counts.count)
      }
    }
  }
}
