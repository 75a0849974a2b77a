import TestSupport
import Testing

@testable import Seeding

@Suite("Lists of digests")
struct DigestListTests {
  @Test(
    "adding to, removing from and intersecting digest lists gives the same results as sets",
    arguments: 0..<200
  )
  func sets(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func numbers() -> [UInt64] {
      (0..<Int.random(in: 0...30, using: &random)).map { _ in UInt64.random(in: 0...40, using: &random) }
    }
    let (first, second) = (numbers(), numbers())
    let (list, others) = (DigestList(first), DigestList(second))
    #expect(list.digests == Set(first).sorted())
    var changed = list
    changed.add(others)
    #expect(changed.digests == Set(first).union(second).sorted())
    changed = list
    changed.remove(others)
    #expect(changed.digests == Set(first).subtracting(second).sorted())
    changed = list
    changed.formIntersection(others)
    #expect(changed.digests == Set(first).intersection(second).sorted())
    #expect(DigestList(list.data)?.digests == list.digests)
  }
}
