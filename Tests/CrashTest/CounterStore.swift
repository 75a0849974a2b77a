import CoreData
import Foundation

/// Counters that several processes increment in one store, each a given number of times.
///
/// Only optimistic locking keeps one process from overwriting increments of another.
struct CounterStore {
  static let counterCount = 3
  private let context: NSManagedObjectContext

  init(_ file: URL, options: [AnyHashable: Any]) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    try coordinator.addPersistentStore(
      ofType: CrashStore.type(of: file),
      configurationName: nil,
      at: file,
      options: options
    )
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  private static func model() -> NSManagedObjectModel {
    let (value, counter) = (NSAttributeDescription(), NSEntityDescription())
    (value.name, value.attributeType, value.isOptional) = ("value", .integer64AttributeType, true)
    (counter.name, counter.properties) = ("Counter", [value])
    let model = NSManagedObjectModel()
    model.entities = [counter]
    return model
  }

  /// Increments counters chosen at random. With 0 times, it creates the counters.
  ///
  /// Prints how many saves were refused because another process had saved first.
  func increment(times: Int) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Counter")
    if times == 0 {
      for _ in 0..<Self.counterCount {
        NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
          .setValue(Int64(0), forKey: "value")
      }
      return try context.save()
    }
    let counters = try context.fetch(request)
    var conflicts = 0
    for _ in 0..<times { conflicts += try increment(counters) }
    print("\(times) increments, \(conflicts) conflicts")
  }

  /// Increments counters until a closure returns false, and prints each number.
  func increment(while isWanted: () -> Bool) throws {
    let counters = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter"))
    var count = 0
    while isWanted() {
      _ = try increment(counters)
      count += 1
      say("counted \(count)")
    }
  }

  /// - Returns: the number of saves that were refused because another process had saved first.
  private func increment(_ counters: [NSManagedObject]) throws -> Int {
    guard let counter = counters.randomElement() else {
      throw CrashStore.Wrong(description: "there are no counters; make them by counting 0 times")
    }
    var conflicts = 0
    while true {
      counter.setValue((counter.value(forKey: "value") as? Int64 ?? 0) + 1, forKey: "value")
      do {
        try context.save()
        return conflicts
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        conflicts += 1
        context.refresh(counter, mergeChanges: false)
      }
    }
  }

  /// Copies the counters into a file, and prints the count of the copy.
  func copy(to file: URL) throws {
    guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first
    else { throw CrashStore.Wrong(description: "there is no store to be copied") }
    try coordinator.migratePersistentStore(store, to: file, withType: NSSQLiteStoreType)
    let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Counter"))
    guard count == Self.counterCount else {
      throw CrashStore.Wrong(description: "the copy has \(count) counters")
    }
    print("copied \(count) counters")
  }

  /// Checks that the store has every acknowledged increment.
  func verify(count: Int64) throws {
    let counters = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter"))
    let sum = counters.reduce(Int64(0)) { $0 + ($1.value(forKey: "value") as? Int64 ?? 0) }
    guard sum == count else { throw CrashStore.Wrong(description: "\(count) increments came to \(sum)") }
    print("nothing is lost of \(count) increments")
  }
}
