import CoreData
import Testing

/// Classes that are passed to no model and no container.
class LookedUpByName: NSManagedObject {
  class InClass: NSManagedObject {}
}

private class LookedUpInPrivate: NSManagedObject {
  class InPrivate: NSManagedObject {}
}

enum Bookcase {
  struct Shelf {
    final class LookedUpDeep: NSManagedObject {}
  }
  final class Twice: NSManagedObject {}
}

enum Drawer {
  enum Shelf {
    final class Twice: NSManagedObject {}
  }
}

enum Desk {
  final class Namesake: NSManagedObject {}
}

enum Bench {
  final class Namesake: NSManagedObject {}
}

extension String {
  final class LookedUpInString: NSManagedObject {}
}

class LookedUpGeneric<Value>: NSManagedObject {}
final class LookedUpConcrete: LookedUpGeneric<Int> {}

/// A class that is not a managed object class.
final class LookedUpOtherwise {}

extension NSFetchRequestResult where Self: NSManagedObject {
  fileprivate static func made(in context: NSManagedObjectContext) -> Self { Self(context: context) }
}

extension NSManagedObject {
  fileprivate static func make(in context: NSManagedObjectContext) -> Self {
    Self(entity: entity(), insertInto: context)
  }
}

private func makeObject<Object: NSManagedObject>(
  _ type: Object.Type,
  _ entity: NSEntityDescription? = nil,
  in context: NSManagedObjectContext?
) -> Object {
  Object(entity: entity ?? Object.entity(), insertInto: context)
}

/// A class that overrides the initialiser, as sources for Apple's platforms do.
class OwnInitializer: NSManagedObject {
  let isMarked: Bool

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    isMarked = true
    super.init(entity: entity, insertInto: context)
  }

  convenience init(marked context: NSManagedObjectContext) {
    self.init(entity: OwnInitializer.entity(), insertInto: context)
  }
}

final class LookedUpInVersions: NSManagedObject {}

@Suite("Classes by their names")
struct ClassLookupTests {
  @Test("of several models with a class, the one applies that a store was opened with last")
  func latestModel() throws {
    let models = (1...2).map { version in
      let entity = NSEntityDescription()
      entity.name = "Version\(version)"
      entity.managedObjectClassName = "LookedUpInVersions"
      let model = NSManagedObjectModel()
      model.entities = [entity]
      return model
    }
    for model in [models[0], models[1], models[0]] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      #expect(LookedUpInVersions.entity() === model.entities.first)
    }
  }

  /// The class of the objects of an entity with a class name.
  private func objectClass(_ className: String?) throws -> NSManagedObject.Type {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.managedObjectClassName = className
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context.performAndWait {
      type(of: NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context))
    }
  }

  @Test(
    "a class is found by its name alone, with a dot for the product's module, and with its module",
    arguments: ["LookedUpByName", ".LookedUpByName", "CoreDataTests.LookedUpByName"]
  )
  func forms(className: String) throws {
    #expect(try objectClass(className) == LookedUpByName.self)
  }

  @Test("nested classes are found by their own name, by a part of their path and by the full path")
  func nested() throws {
    #expect(try objectClass("InClass") == LookedUpByName.InClass.self)
    #expect(try objectClass("LookedUpDeep") == Bookcase.Shelf.LookedUpDeep.self)
    #expect(try objectClass("Shelf.LookedUpDeep") == Bookcase.Shelf.LookedUpDeep.self)
    #expect(try objectClass("CoreDataTests.Bookcase.Shelf.LookedUpDeep") == Bookcase.Shelf.LookedUpDeep.self)
    #expect(try objectClass(String(reflecting: LookedUpByName.InClass.self)) == LookedUpByName.InClass.self)
  }

  @Test("private classes are found, also by the name that reflection gives them")
  func privateClasses() throws {
    #expect(try objectClass("LookedUpInPrivate") == LookedUpInPrivate.self)
    #expect(try objectClass("InPrivate") == LookedUpInPrivate.InPrivate.self)
    #expect(try objectClass("CoreDataTests.LookedUpInPrivate.InPrivate") == LookedUpInPrivate.InPrivate.self)
    #expect(try objectClass(String(reflecting: LookedUpInPrivate.self)) == LookedUpInPrivate.self)
  }

  @Test("classes in extensions of other modules' types and with generic superclasses are found")
  func unusualPlaces() throws {
    #expect(try objectClass("LookedUpInString") == String.LookedUpInString.self)
    #expect(try objectClass("CoreDataTests.LookedUpInString") == String.LookedUpInString.self)
    #expect(try objectClass("LookedUpConcrete") == LookedUpConcrete.self)
  }

  @Test("of several classes with a name, the least nested one is used, unless the name says more")
  func ambiguous() throws {
    #expect(try objectClass("Twice") == Bookcase.Twice.self)
    #expect(try objectClass("Shelf.Twice") == Drawer.Shelf.Twice.self)
  }

  @Test(
    "a class that is not there, or of another kind, is NSManagedObject",
    arguments: [
      nil, "", "NSManagedObject", "LookedUpNowhere", ".LookedUpNowhere", "Elsewhere.LookedUpByName",
      "LookedUpGeneric", "LookedUpOtherwise", ".", "a..b",
    ]
  )
  func fallback(className: String?) throws {
    #expect(try objectClass(className) == NSManagedObject.self)
  }

  @Test("a class belongs to its own entity in any model, and not to one of the same name")
  func exactFirst() throws {
    func model(_ className: String, _ entityName: String) throws -> NSManagedObjectModel {
      let entity = NSEntityDescription()
      entity.name = entityName
      entity.managedObjectClassName = className
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      return model
    }
    let own = try model("CoreDataTests.Desk.Namesake", "Own")
    // The models added last: one of another module with a class of that name, and one of an unknown module.
    let others = [
      try model("Elsewhere.Namesake", "Elsewhere"), try model("CoreDataTests.Bench.Namesake", "Bench"),
    ]
    try withExtendedLifetime((own, others)) {
      #expect(Desk.Namesake.entity().name == "Own")
      #expect(Bench.Namesake.entity().name == "Bench")
      #expect(Desk.Namesake(entity: Desk.Namesake.entity(), insertInto: nil).entity.name == "Own")
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: others[1])
      try context.persistentStoreCoordinator?.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: nil,
        at: nil
      )
      let made = NSEntityDescription.insertNewObject(forEntityName: "Bench", into: context)
      #expect(type(of: made) == Bench.Namesake.self)
    }
  }

  @Test("init(context:) makes an object of a class that is known at run time only")
  func metatypes() throws {
    let stack = try Stack(.inMemory)
    let types: [NSManagedObject.Type] = [Note.self, Tag.self]
    #expect(types.map { $0.init(context: stack.context).entity.name } == ["Note", "Tag"])
    #expect(Tag.made(in: stack.context).entity.name == "Tag")
  }

  @Test("so does init(entity:insertInto:), in a context and outside, by whatever initialiser the class has")
  func metatypesOfEntities() throws {
    let stack = try Stack(.inMemory)
    let context = stack.context
    #expect(Tag.make(in: context).isInserted && Tag.make(in: context).entity.name == "Tag")
    let outside = makeObject(Tag.self, in: nil)
    #expect(outside.entity.name == "Tag" && outside.managedObjectContext == nil)
    let types: [NSManagedObject.Type] = [Note.self, Tag.self]
    let made = types.map { $0.init(entity: $0.entity(), insertInto: context) }
    #expect(made.map { String(describing: type(of: $0)) } == ["Note", "Tag"])
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Note"])
    let base: NSManagedObject.Type = OwnInitializer.self
    let own = base.init(entity: entity, insertInto: context)
    #expect((own as? OwnInitializer)?.isMarked == true && own.entity === entity && own.isInserted)
    #expect(OwnInitializer(entity: entity, insertInto: nil).isMarked)
    #expect(makeObject(NSManagedObject.self, entity, in: context).entity === entity)
  }
}
