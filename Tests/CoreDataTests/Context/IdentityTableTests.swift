import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The identity table")
struct IdentityTableTests {
  @Test("the identity table behaves as a dictionary, whatever is inserted and removed")
  func model() {
    var generator = SplitMix(seed: 42)
    var table = IdentityTable()
    var dictionary: [Int64: UnsafeMutableRawPointer] = [:]
    let objects = (0..<500).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8) }
    defer { objects.forEach { $0.deallocate() } }
    for step in 0..<20_000 {
      // The keys include consecutive keys, keys with the same hash, and negative keys.
      let key = Int64.random(in: -60...60, using: &generator) << (step % 3 * 9)
      let object = objects[Int.random(in: 0..<objects.count, using: &generator)]
      if Int.random(in: 0..<3, using: &generator) > 0 {
        table.set(object, for: key)
        dictionary[key] = object
      } else {
        table.remove(object, for: key)
        if dictionary[key] == object { dictionary[key] = nil }
      }
      #expect(table[key] == dictionary[key])
    }
    #expect(table.count == dictionary.count)
    for (key, object) in dictionary { #expect(table[key] == object) }
    var found: Set<UnsafeMutableRawPointer> = []
    table.forEach { found.insert($0) }
    #expect(found == Set(dictionary.values))
  }

  @Test(
    "keys in steps of a power of two are found as near to their places as others are",
    arguments: [10, 19, 20, 24, 30, 40, 44]
  )
  func steps(bits: Int) {
    var table = IdentityTable()
    let object = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { object.deallocate() }
    let keys = (1...200_000).map { Int64($0) << Int64(bits) }
    for key in keys { table.set(object, for: key) }
    #expect(table.farthest < 130)
    #expect(keys.allSatisfy { table[$0] == object })
    for key in keys.dropLast(10) { table.remove(object, for: key) }
    #expect(keys.suffix(10).allSatisfy { table[$0] == object })
    #expect(table.count == 10)
  }

  @Test("consecutive keys are stored at their own positions")
  func consecutive() {
    var table = IdentityTable()
    let object = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { object.deallocate() }
    for key in 1...200_000 as ClosedRange<Int64> { table.set(object, for: key) }
    #expect(table.farthest == 0)
  }

  @Test("room that is reserved changes nothing that is there")
  func reserve() {
    var table = IdentityTable()
    let object = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { object.deallocate() }
    for key in 1...100 as ClosedRange<Int64> { table.set(object, for: key) }
    table.reserve(10_000)
    for key in 1...100 as ClosedRange<Int64> { #expect(table[key] == object) }
    #expect(table[101] == nil)
  }

  @Test("the space of removed objects is freed, and the remaining ones are found")
  func shrinking() {
    var table = IdentityTable()
    let object = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { object.deallocate() }
    let least = table.capacity
    for key in 0..<100_000 as Range<Int64> { table.set(object, for: key) }
    #expect(table.capacity > 100_000)
    var placesGivenUp = 0
    for key in 0..<99_990 as Range<Int64> { placesGivenUp += table.remove(object, for: key) }
    #expect(table.capacity <= 128 && placesGivenUp > 100_000)
    for key in 99_990..<100_000 as Range<Int64> { #expect(table[key] == object) }
    #expect(table[0] == nil && table.count == 10)
    for key in 99_990..<100_000 as Range<Int64> { table.remove(object, for: key) }
    #expect(table.capacity == least)
  }
}
