import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Descriptions in random graphs")
struct RandomDescriptionTests {
  @Test("objects in any state print without being changed", arguments: StoreKind.allCases)
  func printing(_ kind: StoreKind) throws {
    for seed in 0..<Soak.rounds(4) {
      var generator = SplitMix(seed: UInt64(seed))
      let stack = try Stack(kind)
      var objects: [NSManagedObject] = []
      for _ in 0..<60 {
        let object = objects.randomElement(using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1, 2:
          let tags = Set(
            objects.compactMap { $0 as? Tag }.filter { !$0.isDeleted && $0.managedObjectContext != nil }
          )
          objects.append(stack.note("\(seed)\n\u{7}", nil, tags: tags))
        case 3: objects.append(stack.tag("tag"))
        case 4: if let object, object.managedObjectContext != nil { stack.context.delete(object) }
        case 5: try stack.save()
        case 6: if let object, !object.hasChanges { stack.context.refresh(object, mergeChanges: false) }
        case 7: stack.context.rollback()
        default: objects += try stack.fetch(Note.self) as [NSManagedObject]
        }
        let states = objects.map { [$0.isFault, $0.hasChanges, $0.isDeleted] }
        for object in objects {
          let text = object.description
          #expect(text.hasPrefix("<") && text.hasSuffix(")") && text.utf8.count < 20_000)
          #expect(!text.contains("Optional(") && !text.contains("StoredValue"))
        }
        #expect(objects.map { [$0.isFault, $0.hasChanges, $0.isDeleted] } == states)
      }
    }
  }
}
