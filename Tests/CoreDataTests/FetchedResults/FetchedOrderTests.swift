import Foundation
import Predicates
import TestSupport
import Testing

@testable import CoreData

@Suite("The order of fetched results")
struct FetchedOrderTests {
  @Test(
    "an object can be placed from before the first equal object to after the last one",
    arguments: [1, 2, 3]
  )
  func gaps(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let stack = try Stack(.inMemory)
    for _ in 0..<Soak.rounds(60) {
      let count = Int.random(in: 0..<30, using: &random)
      let ratings = (0..<count).map { _ in Int.random(in: 0..<8, using: &random) }.sorted(by: >)
      let notes = ratings.map { stack.note("note", rating: Int64($0)) }
      let removed = notes.indices.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let left = notes.indices.filter { !removed.contains($0) }.map { ratings[$0] }
      let sorter = Sorter([NSSortDescriptor(key: "rating", ascending: false)])
      let sectioning = try FetchedSectioning(Note.fetchRequest(), keyPath: nil, cacheName: nil)
      let order = FetchedOrder(sorter: sorter, sectioning: sectioning)
      for rating in -1...8 {
        let values = try order.values(of: stack.note("other", rating: Int64(rating)))
        let gaps = try order.gaps(for: values, in: RemainingObjects(notes, without: removed))
        #expect(gaps.lowerBound == left.count { $0 > rating })
        #expect(gaps.upperBound == left.count { $0 >= rating })
      }
      stack.context.rollback()
    }
  }

  @Test("comparing an object with values equals comparing both objects' values")
  func comparison() throws {
    let stack = try Stack(.inMemory)
    let notes = [("a", 1), ("a", 2), ("b", 1), ("b", 3)].map { stack.note($0, rating: Int64($1)) }
    let descriptors = [
      NSSortDescriptor(key: "title", ascending: true),
      NSSortDescriptor(key: "rating", ascending: false),
    ]
    let foundations = [NSSortDescriptor(keyPath: \Note.rating, ascending: true)]
    for sorter in [Sorter(descriptors), Sorter(foundations), Sorter([])] {
      for one in notes {
        for other in notes {
          let values = try sorter.values(of: other)
          #expect(
            try sorter.compare(one, to: values) == sorter.compare(sorter.values(of: one), second: values)
          )
        }
      }
    }
  }
}
