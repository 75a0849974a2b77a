import CoreData
import Foundation
import Samples

/// Moves new objects from a child context to its parent, to be compared with making them.
enum ChildSaveWorkload {
  static func make() throws -> Workload {
    let count = 10_000
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = coordinator
    func emptyChild() -> NSManagedObjectContext {
      parent.reset()
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      return child
    }
    func fill(_ child: NSManagedObjectContext) {
      for row in 0..<count { Sample(context: child).fill(row) }
    }
    func filledChild() -> NSManagedObjectContext {
      let child = emptyChild()
      fill(child)
      return child
    }
    return Workload(
      title: "save \(count) new objects of a child into its parent",
      contenders: [
        Contender("making them", prepare: emptyChild, work: fill),
        Contender("save()", [.times(0.8)], prepare: filledChild) { try $0.save() },
        SampleFloors.childSave(count),
      ]
    )
  }
}
