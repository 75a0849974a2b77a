import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("A set of objects")
struct ObjectSetTests {
  @Test(
    "an object set has the contents of a list without repetitions, whatever is inserted and removed",
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
      let isSame = found.elementsEqual(model, by: ===)
      #expect(isSame, "step \(step)")
    }
    let left = set.count
    #expect(left == model.count)
    #expect(set.isEmpty == model.isEmpty)
  }

  @Test(
    "an object set keeps its order when objects are inserted, removed and swapped at any index",
    arguments: [6, 40, 400]
  )
  func places(_ count: Int) {
    var generator = SplitMix(seed: UInt64(count))
    let objects = (0..<count).map { _ in NSManagedObject() }
    var set = ObjectSet()
    var model: [NSManagedObject] = []
    /// The first index, the last index, or a random index.
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
      // The set alternately grows and shrinks.
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
        set.swapAt(one, other: other)
        model.swapAt(one, other)
      }
      if !model.isEmpty {
        let place = anyPlace(below: model.count)
        let there = set.object(at: place)
        #expect(there === model[place], "step \(step)")
      }
      guard step.isMultiple(of: 97) else { continue }
      let all = set.objects
      let isSame = all.elementsEqual(model, by: ===)
      #expect(isSame, "step \(step)")
    }
    let left = set.count
    #expect(left == model.count)
  }

  @Test(
    "an object set agrees with a plain list after each of thousands of random changes",
    arguments: [3, 10, 200, 500],
    1...3
  )
  func agreement(_ count: Int, _ seed: Int) {
    var generator = SplitMix(seed: UInt64(1000 * count + seed))
    let objects = (0..<count).map { _ in NSManagedObject() }
    var run = AgreementRun()
    for step in 0..<4000 {
      // The changes are alternately near the beginning and at random indices. The set alternately grows and shrinks.
      let isNearBeginning = (step / 250).isMultiple(of: 2)
      let grows = (step / 500).isMultiple(of: 2)
      let object = objects[Int.random(in: 0..<count, using: &generator)]
      let size = run.model.count
      let place = Int.random(in: 0..<max(1, isNearBeginning ? min(size, 6) : size), using: &generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...3 where grows: run.insert(object, at: place)
      case 0...2 where size > 0: run.remove(run.model[place], preservesOrder: true)
      case 3: run.remove(object, preservesOrder: true)
      case 4: if size > 0 { run.remove(run.model[place], preservesOrder: false) }
      case 5: if size > 0 { run.swap(place, Int.random(in: 0..<size, using: &generator)) }
      case 6: run.append([object, objects[place % count], object])
      case 7: run.insert(object, at: size)
      case 9 where !grows && size > 0: run.removeMember(at: place)
      case 8: run.checkAll("step \(step)")
      default: run.check(object, "step \(step)")
      }
      // The checks include both ends, where a recorded index may be outside of the set.
      for edge in [0, 1, place, run.model.count - 1] where run.model.indices.contains(edge) {
        run.check(run.model[edge], "step \(step)")
      }
    }
    run.checkAll("at the end")
  }

  @Test("an object set finds its first object after removals that moved its beginning")
  func removalsAfterTheFirst() {
    let objects = (0..<200).map { _ in NSManagedObject() }
    var set = ObjectSet(objects)
    for object in objects[1...30] {
      let wasIn = set.remove(object, preservesOrder: true)
      let first = set.place(of: objects[0])
      #expect(wasIn)
      #expect(first == 0)
    }
    let left = set.objects
    let isSame = left.elementsEqual([objects[0]] + objects[31...], by: ===)
    #expect(isSame)
  }

  @Test("an object set removes an object without preserving the order", arguments: [6, 30])
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

/// A set of objects, and the plain list with which it must agree.
private struct AgreementRun {
  private var set = ObjectSet()
  private(set) var model: [NSManagedObject] = []

  /// Inserts an object that is not in the set.
  mutating func insert(_ object: NSManagedObject, at place: Int) {
    if model.contains(where: { $0 === object }) { return }
    set.insert(object, at: place)
    model.insert(object, at: place)
  }

  /// Appends objects, some of which may already be in the set.
  mutating func append(_ objects: [NSManagedObject]) {
    for object in objects {
      set.append(object)
      if !model.contains(where: { $0 === object }) { model.append(object) }
    }
  }

  mutating func remove(_ object: NSManagedObject, preservesOrder: Bool) {
    let place = model.firstIndex { $0 === object }
    let wasIn = set.remove(object, preservesOrder: preservesOrder)
    #expect(wasIn == (place != nil))
    guard let place else { return }
    // Without preserving the order, a removal moves the last object to the removed object's index.
    if !preservesOrder { model.swapAt(place, model.count - 1) }
    model.remove(at: preservesOrder ? place : model.count - 1)
  }

  mutating func removeMember(at place: Int) {
    set.remove(at: place)
    model.remove(at: place)
  }

  mutating func swap(_ one: Int, _ other: Int) {
    set.swapAt(one, other: other)
    model.swapAt(one, other)
  }

  mutating func check(_ object: NSManagedObject, _ comment: Comment) {
    let known = model.firstIndex { $0 === object }
    let found = set.place(of: object)
    #expect(found == known, comment)
    let isIn = set.contains(object)
    #expect(isIn == (known != nil), comment)
    guard let known else { return }
    let there = set.object(at: known)
    #expect(there === object, comment)
  }

  mutating func checkAll(_ comment: Comment) {
    let (all, wanted) = (set.objects, model)
    let isSame = all.elementsEqual(wanted) { $0 === $1 }
    #expect(isSame, comment)
    let count = set.count
    #expect(count == wanted.count, comment)
    let isEmpty = set.isEmpty
    #expect(isEmpty == wanted.isEmpty, comment)
  }
}
