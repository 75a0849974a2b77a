import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("A set of objects")
struct ObjectSetTests {
  @Test(
    "has what a list without repetitions has, whatever is put in and taken out",
    arguments: [5, 8, 9, 40]
  )
  func random(_ count: Int) {
    var generator = SplitMix(seed: UInt64(count))
    let objects = (0..<count).map { _ in NSManagedObject() }
    var set = ObjectSet()
    var model: [NSManagedObject] = []
    for step in 0..<2000 {
      let object = objects[Int.random(in: 0..<count, using: &generator)]
      let isIn = model.contains { $0 === object }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: set.append(object)
      case 1: set.insert(object)
      case 2:
        let isFound = set.contains(object)
        #expect(isFound == isIn, "step \(step)")
        continue
      default:
        let wasIn = set.remove(object, preservesOrder: true)
        #expect(wasIn == isIn, "step \(step)")
        model.removeAll { $0 === object }
        continue
      }
      if !isIn { model.append(object) }
      guard step.isMultiple(of: 7) else { continue }
      let found = set.objects
      #expect(found.elementsEqual(model, by: ===), "step \(step)")
    }
    let left = set.count
    #expect(left == model.count)
    #expect(set.isEmpty == model.isEmpty)
  }

  @Test(
    "keeps the order in which objects are put in, taken out and exchanged at any place",
    arguments: [6, 40, 400]
  )
  func places(_ count: Int) {
    var generator = SplitMix(seed: UInt64(count))
    let objects = (0..<count).map { _ in NSManagedObject() }
    var set = ObjectSet()
    var model: [NSManagedObject] = []
    /// The first place, the last one, or any.
    func anyPlace(below bound: Int) -> Int {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: 0
      case 1: min(3, bound - 1)
      case 2: bound - 1
      default: Int.random(in: 0..<bound, using: &generator)
      }
    }
    for step in 0..<6000 {
      let object = objects[Int.random(in: 0..<count, using: &generator)]
      let known = model.firstIndex { $0 === object }
      let found = set.place(of: object)
      #expect(found == known, "step \(step)")
      // The set grows for some time, and shrinks for some time.
      let grows = (step / 1000).isMultiple(of: 2)
      if known == nil, grows || step.isMultiple(of: 5) {
        let place = anyPlace(below: model.count + 1)
        set.insert(object, at: place)
        model.insert(object, at: place)
      } else if !model.isEmpty, !grows || step.isMultiple(of: 5) {
        let place = anyPlace(below: model.count)
        let wasIn = set.remove(model[place], preservesOrder: true)
        #expect(wasIn, "step \(step)")
        model.remove(at: place)
      } else if model.count > 1, step.isMultiple(of: 3) {
        let (one, other) = (anyPlace(below: model.count), anyPlace(below: model.count))
        set.swapAt(one, other)
        model.swapAt(one, other)
      }
      if !model.isEmpty {
        let place = anyPlace(below: model.count)
        let there = set.object(at: place)
        #expect(there === model[place], "step \(step)")
      }
      guard step.isMultiple(of: 97) else { continue }
      let all = set.objects
      #expect(all.elementsEqual(model, by: ===), "step \(step)")
    }
    let left = set.count
    #expect(left == model.count)
  }

  @Test("loses any object without regard to order where order does not matter", arguments: [6, 30])
  func unordered(_ count: Int) {
    let objects = (0..<count).map { _ in NSManagedObject() }
    var set = ObjectSet(objects + objects)
    let distinct = set.count
    #expect(distinct == count)
    for (number, object) in objects.enumerated() {
      let wasIn = set.remove(object)
      let isIn = set.contains(object)
      #expect(wasIn && !isIn)
      let left = Set(set.objects)
      #expect(left == Set(objects[(number + 1)...]))
    }
    #expect(set.isEmpty)
  }
}
