import TestSupport
import Testing

@testable import CoreData

@Suite("Sets of states of an object")
struct StateSetTests {
  private static let members = (0..<16).map { ObjectState(rawValue: 1 << $0) }

  @Test("a set of states has the members of its list, and is compared with others as a set")
  func sets() {
    var generator = SplitMix(seed: 1)
    for _ in 0..<2_000 {
      // Small and large sets, so that many are disjoint or contain each other.
      let sets = (0..<2).map { _ in
        Set((0..<Int.random(in: 0...16, using: &generator)).map { _ in Int.random(in: 0..<16, using: &generator) })
      }
      let states = sets.map { $0.reduce(into: ObjectState()) { $0.insert(Self.members[$1]) } }
      #expect(states[0].isSuperset(of: states[1]) == sets[0].isSuperset(of: sets[1]))
      #expect(states[0].isDisjoint(with: states[1]) == sets[0].isDisjoint(with: sets[1]))
      for (number, member) in Self.members.enumerated() {
        #expect(states[0].contains(member) == sets[0].contains(number))
      }
    }
    let listed: ObjectState = [.fault, .inserted, .fault, .observable]
    #expect(listed.rawValue == 1 | 1 << 1 | 1 << 15)
    #expect(([] as ObjectState).isEmpty)
  }
}
