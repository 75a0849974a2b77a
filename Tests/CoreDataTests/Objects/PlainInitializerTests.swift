import CoreData
import Foundation
import Testing

final class PlainThing: NSManagedObject {}
private class Unknown: NSManagedObject {}

@Suite("Objects made without entity and context")
struct PlainInitializerTests {
  @Test("plainly made objects have their class's entity and defaults, and no context until they are inserted")
  func known() throws {
    let attribute = NSAttributeDescription()
    attribute.name = "name"
    attribute.attributeType = .stringAttributeType
    attribute.defaultValue = "new"
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.managedObjectClassName = "CoreDataTests.PlainThing"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try Stack(.inMemory, model: model)
    let thing = PlainThing()
    #expect(thing.entity.name == "Thing")
    #expect(thing.value(forKey: "name") as? String == "new")
    #expect(thing.managedObjectContext == nil)
    #expect(!thing.hasChanges)
    stack.context.insert(thing)
    #expect(thing.isInserted && thing.managedObjectContext === stack.context)
    try stack.save()
    #expect(try stack.context.count(for: NSFetchRequest<PlainThing>(entityName: "Thing")) == 1)
  }

  @Test("objects of a class without a model can be passed around and compared")
  func unknown() {
    let (one, other) = (Unknown(), Unknown())
    #expect(one != other)
    #expect(one == one)
    #expect(one.entity === other.entity)
    #expect(one.entity.name == "Unknown")
    #expect(one.entity.properties.isEmpty)
    #expect(one.managedObjectContext == nil)
    #expect(NSManagedObject().entity.name == "NSManagedObject")
  }
}
