import Testing

@testable import CoreData

@Suite("Order keys")
struct OrderKeysTests {
  @Test("a new order begins at 2048 and goes up by 1024, as in Apple-made stores")
  func new() {
    let changes = SQLOrderKeys.changes([7, 8, 9], [:])
    #expect(changes.map(\.key) == [7, 8, 9])
    #expect(changes.map(\.place) == [2048, 3072, 4096])
  }

  @Test("appending an object changes no other order key")
  func append() {
    let changes = SQLOrderKeys.changes([7, 8, 9], [7: 2048, 8: 3072])
    #expect(changes.map(\.key) == [9])
    #expect(changes.map(\.place) == [4096])
  }

  @Test("an object inserted between two others gets a key in the gap")
  func between() {
    let changes = SQLOrderKeys.changes([7, 9, 8], [7: 2048, 8: 3072])
    #expect(changes.map(\.key) == [9])
    #expect(changes.map(\.place) == [2560])
  }

  @Test("an object that moves to the front is the only one with a new order key")
  func move() {
    let changes = SQLOrderKeys.changes([9, 7, 8], [7: 2048, 8: 3072, 9: 4096])
    #expect(changes.map(\.key) == [9])
    #expect(changes.first.map { $0.place < 2048 } == true)
  }

  @Test("an insertion into a full gap renumbers all objects")
  func full() {
    let changes = SQLOrderKeys.changes([1, 3, 2], [1: 10, 2: 11])
    #expect(changes.map(\.place) == [2048, 3072, 4096])
  }

  @Test("any order of any places comes out as asked")
  func random() {
    for _ in 0..<500 {
      let keys = (1...Int64.random(in: 1...12)).shuffled()
      var places: [Int64: Int64] = [:]
      for key in keys where Bool.random() { places[key] = Int64.random(in: 1...20) }
      for change in SQLOrderKeys.changes(keys, places) { places[change.key] = change.place }
      let sorted = keys.sorted { (places[$0] ?? 0) < (places[$1] ?? 0) }
      #expect(sorted == keys)
      #expect(Set(keys.compactMap { places[$0] }).count == keys.count)
    }
  }
}
