import CoreData
import Foundation
import TestModels
import Testing

// example: NSManagedObject.swift func awakeFromInsert
final class Visit: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue(Date(), forKey: "begunAt")
  }
}
// end

// example: NSManagedObject.swift func awakeFromFetch
final class Ledger: NSManagedObject {
  private(set) var total = 0

  override func awakeFromFetch() {
    super.awakeFromFetch()
    let amounts = ["debit", "credit"].map { primitiveValue(forKey: $0) as? Int ?? 0 }
    total = amounts.reduce(0, +)
  }
}
// end

// example: NSManagedObject.swift func willSave
final class Harvest: NSManagedObject {
  override func willSave() {
    super.willSave()
    if !isDeleted { setPrimitiveValue(Date(), forKey: "changedAt") }
  }
}
// end

// example: NSManagedObject.swift func didSave
final class Delivery: NSManagedObject {
  private(set) var saveCount = 0

  override func didSave() {
    super.didSave()
    saveCount += 1
  }
}
// end

// example: NSManagedObject.swift func prepareForDeletion
final class Photo: NSManagedObject {
  override func prepareForDeletion() {
    super.prepareForDeletion()
    if let path = value(forKey: "path") as? String {
      print("\(path) can be removed when the deletion is saved")
    }
  }
}
// end

// example: NSManagedObject.swift func validateForInsert
final class Loan: NSManagedObject {
  override func validateForInsert() throws {
    try super.validateForInsert()
    guard let lent = value(forKey: "lentAt") as? Date, let due = value(forKey: "dueAt") as? Date
    else { return }
    if due < lent { throw CocoaError(.validationDateTooSoon) }
  }
}
// end

// example: NSManagedObject.swift func validateForDelete
final class Account: NSManagedObject {
  override func validateForDelete() throws {
    try super.validateForDelete()
    if let balance = value(forKey: "balance") as? Int, balance != 0 {
      throw CocoaError(.managedObjectValidation)
    }
  }
}
// end

// example: NSManagedObject.swift func validateValue
class Named: NSManagedObject {
  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    if ["name", "title"].contains(key), let text = value.pointee as? String {
      value.pointee = text.trimmingCharacters(in: .whitespaces) as NSString
    }
    try super.validateValue(value, forKey: key)
  }
}
// end

// example: NSManagedObject.swift func willAccessValue
final class Reading: NSManagedObject {
  var celsius: Double {
    willAccessValue(forKey: "kelvin")
    let kelvin = primitiveValue(forKey: "kelvin") as? Double ?? 0
    didAccessValue(forKey: "kelvin")
    return kelvin - 273.15
  }
}
// end

// example: NSManagedObject.swift open func willChangeValue(forKey key
final class Meter: NSManagedObject {
  func advance(to count: Int) {
    willChangeValue(forKey: "count")
    setPrimitiveValue(count, forKey: "count")
    didChangeValue(forKey: "count")
  }
}
// end

// example: NSManagedObject.swift func value(forUndefinedKey
final class Product: NSManagedObject {
  override func value(forUndefinedKey key: String) -> Any? {
    key == "label" ? "No. \(value(forKey: "number") ?? "")" : super.value(forUndefinedKey: key)
  }
}
// end

@Suite("Examples of the life of managed objects")
struct LifecycleExamples {
  private let context: NSManagedObjectContext

  private static let model = makeModel([
    makeEntity("Visit", Visit.self, [makeAttribute("begunAt", .dateAttributeType)]),
    makeEntity(
      "Ledger",
      Ledger.self,
      ["debit", "credit"].map { makeAttribute($0, .integer32AttributeType) }
    ),
    makeEntity("Harvest", Harvest.self, [makeAttribute("changedAt", .dateAttributeType)]),
    makeEntity("Delivery", Delivery.self, [makeAttribute("number", .integer32AttributeType)]),
    makeEntity("Photo", Photo.self, [makeAttribute("path")]),
    makeEntity("Loan", Loan.self, ["lentAt", "dueAt"].map { makeAttribute($0, .dateAttributeType) }),
    makeEntity("Account", Account.self, [makeAttribute("balance", .integer32AttributeType)]),
    makeEntity("Named", Named.self, [makeAttribute("name")]),
    makeEntity("Reading", Reading.self, [makeAttribute("kelvin", .doubleAttributeType)]),
    makeEntity("Meter", Meter.self, [makeAttribute("count", .integer32AttributeType)]),
    makeEntity("Product", Product.self, [makeAttribute("number", .integer32AttributeType)]),
  ])

  init() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try coordinator.addPersistentStore(type: .inMemory)
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  @Test("a new object sets its first values")
  func awakeFromInsert() {
    #expect(Visit(context: context).value(forKey: "begunAt") is Date)
  }

  @Test("a fetched object computes its transient values")
  func awakeFromFetch() throws {
    let ledger = Ledger(context: context)
    ledger.setValuesForKeys(["debit": 2, "credit": 5])
    try context.save()
    context.refresh(ledger, mergeChanges: false)
    #expect(ledger.value(forKey: "debit") as? Int == 2 && ledger.total == 7)
  }

  @Test("an object is notified before it is saved")
  func willSave() throws {
    let harvest = Harvest(context: context)
    try context.save()
    #expect(harvest.value(forKey: "changedAt") is Date)
  }

  @Test("an object is notified after it was saved")
  func didSave() throws {
    let delivery = Delivery(context: context)
    try context.save()
    delivery.setValue(12, forKey: "number")
    try context.save()
    #expect(delivery.saveCount == 2)
  }

  @Test("an object is notified before it is deleted")
  func prepareForDeletion() throws {
    let photo = Photo(context: context)
    photo.setValue("photos/pears.jpg", forKey: "path")
    try context.save()
    context.delete(photo)
    try context.save()
    #expect(try context.count(for: NSFetchRequest<Photo>(entityName: "Photo")) == 0)
  }

  @Test("an object that contradicts itself is not inserted")
  func validateForInsert() throws {
    let loan = Loan(context: context)
    loan.setValuesForKeys(["lentAt": Notebook.day(2), "dueAt": Notebook.day(1)])
    #expect(throws: (any Error).self) { try context.save() }
    loan.setValue(Notebook.day(9), forKey: "dueAt")
    try context.save()
  }

  @Test("an object that is still needed is not deleted")
  func validateForDelete() throws {
    let account = Account(context: context)
    account.setValue(10, forKey: "balance")
    try context.save()
    context.delete(account)
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("a value is made better when it is checked")
  func validateValue() throws {
    let named = Named(context: context)
    named.setValue(" Ines ", forKey: "name")
    try context.save()
    #expect(named.value(forKey: "name") as? String == "Ines")
  }

  @Test("a custom accessor fetches the value that it reads")
  func willAccessValue() throws {
    let reading = Reading(context: context)
    reading.setValue(283.15, forKey: "kelvin")
    try context.save()
    context.refresh(reading, mergeChanges: false)
    #expect(abs(reading.celsius - 10) < 0.001)
  }

  @Test("a custom accessor marks its object as changed")
  func willChangeValue() throws {
    let meter = Meter(context: context)
    try context.save()
    meter.advance(to: 7)
    #expect(meter.hasChanges && meter.changedValues()["count"] as? Int == 7)
  }

  @Test("an object answers keys that its entity does not have")
  func undefinedKey() {
    let product = Product(context: context)
    product.setValue(12, forKey: "number")
    #expect(product.value(forKey: "label") as? String == "No. 12")
  }
}
