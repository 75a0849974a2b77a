import Foundation
import Testing

@testable import CoreData

@Suite("A set of objects")
struct ObjectSetTests {
  @Test(
    "has what a list without repetitions has, whatever is put in and taken out",
    arguments: [5, 8, 9, 40]
  )
  func random(_ count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
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
        #expect(set.contains(object) == isIn, "step \(step)")
        continue
      default:
        #expect(set.remove(object, keepsOrder: true) == isIn, "step \(step)")
        model.removeAll { $0 === object }
        continue
      }
      if !isIn { model.append(object) }
      if step.isMultiple(of: 7) { #expect(set.objects.elementsEqual(model, by: ===), "step \(step)") }
    }
    #expect(set.count == model.count)
    #expect(set.isEmpty == model.isEmpty)
  }

  @Test("loses any object without regard to order where order does not matter", arguments: [6, 30])
  func unordered(_ count: Int) {
    let objects = (0..<count).map { _ in NSManagedObject() }
    var set = ObjectSet(objects + objects)
    #expect(set.count == count)
    for (number, object) in objects.enumerated() {
      #expect(set.remove(object))
      #expect(!set.contains(object))
      #expect(Set(set.objects) == Set(objects[(number + 1)...]))
    }
    #expect(set.isEmpty)
  }
}
