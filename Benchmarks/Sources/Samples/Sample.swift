package import CoreData

/// An object of ten integers.
package final class Sample: NSManagedObject {
  package var a0: Int64 {
    get { managedValue("a0") }
    set { setManagedValue(newValue, "a0") }
  }
  package var a1: Int64 {
    get { managedValue("a1") }
    set { setManagedValue(newValue, "a1") }
  }
  package var a2: Int64 {
    get { managedValue("a2") }
    set { setManagedValue(newValue, "a2") }
  }
  package var a3: Int64 {
    get { managedValue("a3") }
    set { setManagedValue(newValue, "a3") }
  }
  package var a4: Int64 {
    get { managedValue("a4") }
    set { setManagedValue(newValue, "a4") }
  }
  package var a5: Int64 {
    get { managedValue("a5") }
    set { setManagedValue(newValue, "a5") }
  }
  package var a6: Int64 {
    get { managedValue("a6") }
    set { setManagedValue(newValue, "a6") }
  }
  package var a7: Int64 {
    get { managedValue("a7") }
    set { setManagedValue(newValue, "a7") }
  }
  package var a8: Int64 {
    get { managedValue("a8") }
    set { setManagedValue(newValue, "a8") }
  }
  package var a9: Int64 {
    get { managedValue("a9") }
    set { setManagedValue(newValue, "a9") }
  }

  package static let keys = (0..<10).map { "a\($0)" }

  /// The value of a column in a row. Most of the values are too large for tagged or cached numbers.
  package static func value(_ row: Int, _ column: Int) -> Int64 { Int64(row &* 10 &+ column) }

  package var sum: Int64 { a0 &+ a1 &+ a2 &+ a3 &+ a4 &+ a5 &+ a6 &+ a7 &+ a8 &+ a9 }

  package var sumByKeys: Int64 {
    Self.keys.reduce(0) { $0 &+ ((value(forKey: $1) as? NSNumber)?.int64Value ?? 0) }
  }

  package func fill(_ row: Int) {
    a0 = Self.value(row, 0)
    a1 = Self.value(row, 1)
    a2 = Self.value(row, 2)
    a3 = Self.value(row, 3)
    a4 = Self.value(row, 4)
    a5 = Self.value(row, 5)
    a6 = Self.value(row, 6)
    a7 = Self.value(row, 7)
    a8 = Self.value(row, 8)
    a9 = Self.value(row, 9)
  }

  package static let model: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "Sample"
    entity.managedObjectClassName = NSStringFromClass(Sample.self)
    entity.properties = keys.map { key in
      let attribute = NSAttributeDescription()
      attribute.name = key
      attribute.attributeType = .integer64AttributeType
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()
}

/// A store of samples in a file, and its contexts.
package final class SampleStore {
  package let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)

  package init(_ url: URL) throws { try coordinator.addPersistentStore(type: .sqlite, at: url) }

  package func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  package static func fill(_ url: URL, count: Int) throws {
    let context = try SampleStore(url).context()
    for row in 0..<count { Sample(context: context).fill(row) }
    try context.save()
  }
}
