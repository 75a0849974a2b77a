import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Derived attributes of a SQLite store")
struct DerivedAttributeTests {
  private let folder: TemporaryFolder
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.container(Self.model(), folder)
    context = container.newBackgroundContext()
  }

  private static func container(_ model: NSManagedObjectModel, _ folder: TemporaryFolder) throws
    -> NSPersistentContainer
  {
    let container = NSPersistentContainer(name: "Derived", managedObjectModel: model)
    try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: folder.file())
    return container
  }

  /// Shops with items, with one attribute for each kind of derivation.
  private static func model() -> NSManagedObjectModel {
    let (shop, item, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (shop.name, item.name, tag.name) = ("Shop", "Item", "Tag")
    let items = relationship("items", to: item, isToMany: true)
    let itsShop = relationship("shop", to: shop, isToMany: false)
    let tags = relationship("tags", to: tag, isToMany: true)
    let tagged = relationship("items", to: item, isToMany: true)
    (items.inverseRelationship, itsShop.inverseRelationship) = (itsShop, items)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    shop.properties = [
      attribute("name", .stringAttributeType), items,
      derived("itemCount", .integer64AttributeType, "items.@count"),
      derived("total", .doubleAttributeType, "items.price.@sum"),
      derived("searchName", .stringAttributeType, "canonical:(name)"),
      derived("changedAt", .dateAttributeType, "now()"),
    ]
    item.properties = [
      attribute("price", .doubleAttributeType), itsShop, tags,
      derived("shopName", .stringAttributeType, "shop.name"),
      derived("listPrice", .doubleAttributeType, "price"),
      derived("tagCount", .integer64AttributeType, "tags.@count"),
    ]
    tag.properties = [tagged]
    let model = NSManagedObjectModel()
    model.entities = [shop, item, tag]
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func derived(_ name: String, _ type: NSAttributeType, _ expression: String)
    -> NSDerivedAttributeDescription
  {
    let attribute = NSDerivedAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  private static func relationship(_ name: String, to entity: NSEntityDescription, isToMany: Bool)
    -> NSRelationshipDescription
  {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, entity)
    relationship.maxCount = isToMany ? 0 : 1
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }

  private func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValuesForKeys(values)
    return object
  }

  /// The stored value, read in a new context.
  private func value<Value>(_ key: String, of object: NSManagedObject) throws -> Value {
    let fresh = container.newBackgroundContext()
    return try #require(try fresh.existingObject(with: object.objectID).value(forKey: key) as? Value)
  }

  @Test("counts, adds up, copies and folds when objects are inserted")
  func insertion() throws {
    let shop = make("Shop", ["name": "Café ÄÖ"])
    let item = make("Item", ["price": 2.5, "shop": shop, "tags": Set([make("Tag", [:]), make("Tag", [:])])])
    _ = make("Item", ["price": 4.0, "shop": shop])
    try context.save()
    #expect(try value("itemCount", of: shop) as Int64 == 2)
    #expect(try value("total", of: shop) as Double == 6.5)
    #expect(try value("searchName", of: shop) as String == "cafe ao")
    #expect(try value("shopName", of: item) as String == "Café ÄÖ")
    #expect(try value("listPrice", of: item) as Double == 2.5)
    #expect(try value("tagCount", of: item) as Int64 == 2)
    let changedAt: Date = try value("changedAt", of: shop)
    #expect(abs(changedAt.timeIntervalSinceNow) < 60)
  }

  @Test("a derived attribute follows changes on either side of a relationship")
  func changes() throws {
    let (one, other) = (make("Shop", ["name": "One"]), make("Shop", ["name": "Other"]))
    let item = make("Item", ["price": 1.0, "shop": one])
    try context.save()
    item.setValuesForKeys(["shop": other, "price": 3.0])
    one.setValue("Óne", forKey: "name")
    try context.save()
    #expect(try value("itemCount", of: one) as Int64 == 0)
    #expect(try value("total", of: one) as Double == 0)
    #expect(try value("searchName", of: one) as String == "one")
    #expect(try value("itemCount", of: other) as Int64 == 1)
    #expect(try value("total", of: other) as Double == 3)
    #expect(try value("shopName", of: item) as String == "Other")
    #expect(try value("listPrice", of: item) as Double == 3)
    other.setValue("Third", forKey: "name")
    try context.save()
    #expect(try value("shopName", of: item) as String == "Third")
    context.delete(item)
    try context.save()
    #expect(try value("itemCount", of: other) as Int64 == 0)
    #expect(try value("total", of: other) as Double == 0)
  }

  @Test("a saved object has its derived value after a refresh, as Apple documents")
  func refreshing() throws {
    let shop = make("Shop", ["name": "É"])
    try context.save()
    context.refresh(shop, mergeChanges: true)
    #expect(shop.value(forKey: "searchName") as? String == "e")
    #expect(shop.value(forKey: "itemCount") as? Int64 == 0)
  }

  @Test("only the store computes a derived attribute: a value set by a program is not kept")
  func setByHand() throws {
    let shop = make("Shop", ["name": "x", "itemCount": 99])
    try context.save()
    #expect(try value("itemCount", of: shop) as Int64 == 0)
  }

  @Test("a store with an expression that it cannot compute is refused, and others reopen")
  func refused() throws {
    let model = Self.model()
    let shop = try #require(model.entitiesByName["Shop"])
    shop.properties += [Self.derived("odd", .doubleAttributeType, "sqrt:(total)")]
    let other = try TemporaryFolder()
    let error = #expect(throws: NSError.self) { try Self.container(model, other) }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error?.localizedDescription.contains("Shop.odd") == true)
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
    _ = try Self.container(Self.model(), folder)
  }

  @Test(
    "an Apple-made store updates derived attributes by its own triggers",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func appleMade() throws {
    let other = try TemporaryFolder()
    let model = try AppleStore.books[0].loadModel()
    let container = NSPersistentContainer(name: "Books", managedObjectModel: model)
    let file = try AppleStore.books[0].copy(to: other.url)
    try container.persistentStoreCoordinator.addPersistentStore(
      type: .sqlite,
      at: file,
      options: TrackedStore.options
    )
    let context = container.newBackgroundContext()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "pagesCount > 1")
    request.fetchLimit = 1
    let book = try #require(try context.fetch(request).first)
    let pages = try #require(book.value(forKey: "pages") as? Set<NSManagedObject>)
    let count = try #require(book.value(forKey: "pagesCount") as? Int)
    #expect(pages.count == count)
    context.delete(try #require(pages.first))
    try context.save()
    context.refresh(book, mergeChanges: false)
    #expect(book.value(forKey: "pagesCount") as? Int == count - 1)
  }
}
