import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("Weak references through a handle")
struct WeakHandleReferenceTests {
  private final class Owner: NSEntityDescription, @unchecked Sendable {}

  @Test("a back reference does not retain its object, and is nil after its end")
  func gone() {
    let property = NSAttributeDescription()
    let inverse = NSRelationshipDescription()
    do {
      let entity = Owner()
      entity.properties = [property]
      let relationship = NSRelationshipDescription()
      inverse.destinationEntity = entity
      inverse.inverseRelationship = relationship
      #expect(property.entity === entity)
      #expect(inverse.destinationEntity === entity)
      #expect(inverse.inverseRelationship === relationship)
    }
    #expect(property.owner == nil)
    #expect(inverse.destinationEntity == nil)
    #expect(inverse.inverseRelationship == nil)
  }

  @Test("a context's back reference is nil after the context was released")
  func context() {
    var context: NSManagedObjectContext? = NSManagedObjectContext(
      concurrencyType: .privateQueueConcurrencyType
    )
    let reference = WeakContext(context: context)
    #expect(reference.context != nil && reference.context === context)
    context = nil
    #expect(reference.context == nil)
  }

  @Test(
    "back references of contexts are rarely scanned, however many contexts come and go meanwhile",
    arguments: [7, 8, 9]
  )
  func contexts(_ count: Int) {
    func make() -> NSManagedObjectContext {
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    }
    let kept = (0..<count).map { _ in make() }
    var list = WeakContexts()
    for context in kept { list.add(context) }
    var cleaningCount = 0
    for _ in 0..<1000 {
      let length = list.all.count
      list.add(make())
      if list.all.count <= length { cleaningCount += 1 }
      #expect(list.all.count <= 2 * count + 8)
    }
    #expect((1...(1000 / count + 2)).contains(cleaningCount))
    let present = list.all.compactMap(\.context)
    #expect(kept.allSatisfy { context in present.contains { $0 === context } })
  }

  @Test("a back reference leads to another object after it was set again")
  func anew() {
    let (first, second) = (Owner(), Owner())
    var reference = WeakHandleReference<NSEntityDescription>(wrappedValue: first)
    reference.wrappedValue = second
    #expect(reference.wrappedValue === second)
    reference.wrappedValue = nil
    #expect(reference.wrappedValue == nil)
  }

  @Test("a back reference gives other threads a live object or nil while the object is released")
  func race() {
    for _ in 0..<Soak.rounds(500) {
      let held = Mutex<Owner?>(Owner())
      let reference = WeakHandleReference<Owner>(wrappedValue: held.withLock { $0 })
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        if number == 0 { return held.withLock { $0 = nil } }
        for _ in 0..<20 where reference.wrappedValue?.name == "another" {
          Issue.record("it has no such name")
        }
      }
      #expect(reference.wrappedValue == nil)
    }
  }

  @Test("a back reference costs its object no side table, unlike a weak reference")
  func table() throws {
    let entity = Owner()
    let property = NSAttributeDescription()
    entity.properties = [property]
    #expect(!Self.hasTable(entity))
    weak var weakly: Owner?
    weakly = entity
    #expect(Self.hasTable(entity))
    #expect(weakly === entity && property.entity === entity)
  }

  /// Whether an object's reference counts are in a side table, which the highest bit of its second word indicates.
  private static func hasTable(_ object: AnyObject) -> Bool {
    let counts = Unmanaged.passUnretained(object).toOpaque().load(fromByteOffset: 8, as: UInt64.self)
    return counts >> 62 == 0b11
  }
}
