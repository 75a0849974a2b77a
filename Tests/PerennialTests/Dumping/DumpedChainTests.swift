import CoreData
import Foundation
import Seeding
import TestModels
import Testing

@Suite("A dump of a chain")
struct DumpedChainTests {
  @Test("a dump of a chain of 20,000 objects has a record of each, and releases the objects")
  func long() throws {
    let entity = makeEntity("A", makeAttribute("n", .integer64AttributeType))
    relate(entity, "children", isToMany: true, entity, "parent", isToMany: false)
    entity.uniquenessConstraints = [["n"]]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel([entity]))
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    var last: NSManagedObject?
    for number in 0..<20_000 {
      let object = NSEntityDescription.insertNewObject(forEntityName: "A", into: context)
      object.setValue(number, forKey: "n")
      object.setValue(last, forKey: "parent")
      last = object
    }
    try context.save()
    let seed = try StoreDump(coordinator).seed()
    #expect(seed.entities.map { $0.records.count } == [20_000])
    let references = seed.entities[0].records.count { $0.fields["parent"] != nil }
    #expect(references == 19_999)
  }
}
