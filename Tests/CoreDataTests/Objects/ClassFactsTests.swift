import Foundation
import Synchronization
import TestModels
import Testing

@testable import CoreData

/// A class with a stored property whose type no store and no model supports.
class Parcel: NSManagedObject {
  struct Stamp {}

  var stamp: Stamp?
  var label: String? {
    get { managedValue("label") }
    set { setManagedValue(newValue, "label") }
  }

  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    throw CocoaError(.validationStringTooShort)
  }
}

/// A class whose list has the same facts as for `Parcel`, except that it validates its values.
final class Letter: Parcel {}

/// A class that is not in the list.
final class Postcard: Parcel {}

/// A class without validation, whose objects create another object before their own initialization.
class Envelope: NSManagedObject {
  static let inside = Mutex<(@Sendable () -> Void)?>(nil)

  let number: Int = {
    Envelope.inside.withLock { $0.take() }?()
    return 1
  }()
  var label: String? {
    get { managedValue("label") }
    set { setManagedValue(newValue, "label") }
  }
}

/// A class that is not in the list, and whose superclass has no validation.
final class Wrapper: Envelope {}

/// A class with its own initialiser, which records its arguments.
final class Crate: NSManagedObject {
  static let entities = Mutex<[String?]>([])

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    Self.entities.withLock { $0.append(entity.name) }
    super.init(entity: entity, insertInto: context)
  }
}

private enum Lists {
  // The fact about `Parcel` is wrong on purpose, which shows whether the list is used.
  final class _ManagedObjectKeyedMembers: KeyedMembers {
    override class func declare(in list: KeyedMemberList) {
      list.addClass(Parcel.self, checksValues: false) { Parcel(entity: $0, insertInto: $1) }
      list.addName("stamp", of: \Parcel.stamp)
      list.addClass(Letter.self, checksValues: true)
      list.addName("stamp", of: \Letter.stamp)
      list.addClass(Envelope.self, checksValues: false) { Envelope(entity: $0, insertInto: $1) }
      list.addClass(Crate.self, checksValues: false)
    }
  }
}

@Suite("Facts of classes")
struct ClassFactsTests {
  private func stack() throws -> NSManagedObjectContext {
    let model = NSManagedObjectModel()
    model.entities = [Parcel.self, Letter.self, Postcard.self, Envelope.self, Wrapper.self, Crate.self].map {
      makeEntity("\($0)", $0, [makeAttribute("label")])
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("a list says whether saves call validateValue; an unlisted class is inspected")
  func validation() throws {
    #expect(ClassMembers.all(of: Parcel.self).checksValues == false)
    #expect(ClassMembers.all(of: Letter.self).checksValues == true)
    #expect(ClassMembers.all(of: Postcard.self).checksValues == true)
    #expect(ClassMembers.all(of: Envelope.self).checksValues == false)
    #expect(ClassMembers.all(of: Wrapper.self).checksValues == false)
    #expect(ClassMembers.all(of: NSManagedObject.self).checksValues == false)
    let context = try stack()
    _ = Parcel(context: context)
    try context.save()
    _ = Letter(context: context)
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    _ = Postcard(context: context)
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("a list names key paths, including those that begin at a subclass")
  func names() {
    #expect((\Parcel.stamp as AnyKeyPath)._kvcKeyPathString == "stamp")
    #expect((\Letter.stamp as AnyKeyPath)._kvcKeyPathString == "stamp")
    // The probe knows no values of this type.
    #expect((\Postcard.stamp as AnyKeyPath)._kvcKeyPathString == nil)
    #expect((\Postcard.label as AnyKeyPath)._kvcKeyPathString == "label")
  }

  @Test("the object of a row gets it as an argument, so that others may come to be while it is made")
  func rows() throws {
    let context = try stack()
    for label in ["a", "b", "c"] { Envelope(context: context).label = label }
    Parcel(context: context).label = "parcel"
    try context.save()
    context.reset()
    // The closure runs during the fetch.
    Envelope.inside.withLock { inside in
      inside = {
        Envelope(context: context).label = "new"
        let parcels = try? context.fetch(NSFetchRequest<Parcel>(entityName: "Parcel"))
        #expect(parcels?.map(\.label) == ["parcel"])
      }
    }
    let request = NSFetchRequest<Envelope>(entityName: "Envelope")
    request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
    request.includesPendingChanges = false
    let found = try context.fetch(request)
    #expect(found.map(\.label) == ["a", "b", "c"])
    #expect(context.insertedObjects.map { ($0 as? Envelope)?.label } == ["new"])
    #expect(context.registeredObjects == context.insertedObjects.union(found))
  }

  @Test("a class with an initialiser of its own sees the entity, and its objects have their rows")
  func initialisers() throws {
    let context = try stack()
    let crate = Crate(context: context)
    crate.setValue("a", forKey: "label")
    try context.save()
    context.reset()
    let found = try context.fetch(NSFetchRequest<Crate>(entityName: "Crate"))
    #expect(found.map { $0.value(forKey: "label") as? String } == ["a"])
    #expect(Crate.entities.withLock { $0 } == ["Crate", "Crate"])
    #expect(ClassMembers.all(of: Crate.self).initializer == nil)
    #expect(ClassMembers.all(of: Wrapper.self).initializer == nil)
    #expect(ClassMembers.all(of: NSManagedObject.self).initializer != nil)
  }
}
