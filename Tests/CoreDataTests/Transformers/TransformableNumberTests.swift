import CoreData
import Foundation
import TestModels
import Testing

@Suite("Numbers in transformable attributes")
struct TransformableNumberTests {
  private static let model = makeModel([
    makeEntity("Thing", makeAttribute("any", .transformableAttributeType))
  ])

  @Test("a number reads alike before and after a save", arguments: StoreKind.allCases)
  func alike(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
    for value in [Double(20), Float(20), UInt8(20), Int(20), Int64(20), NSNumber(value: 20)] as [Any] {
      thing.setValue(value, forKey: "any")
      func expectTwenty(_ found: Any?) {
        #expect(
          found as? Int == 20 && found as? Double == 20 && found as? NSNumber == 20,
          "\(type(of: value))"
        )
      }
      expectTwenty(thing.value(forKey: "any"))
      try stack.save()
      expectTwenty(thing.value(forKey: "any"))
      stack.context.refreshAllObjects()
      expectTwenty(thing.value(forKey: "any"))
    }
    thing.setValue(true, forKey: "any")
    #expect(thing.value(forKey: "any") as? Bool == true)
  }
}
