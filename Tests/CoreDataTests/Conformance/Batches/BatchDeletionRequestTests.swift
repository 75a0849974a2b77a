import CoreData
import Foundation
import Testing

@Suite("A batch deletion")
struct BatchDeletionRequestTests {
  @Test("a batch deletion accepts a fetch request of any result class", arguments: StoreKind.takingBatches)
  func fetchRequest(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for name in ["a", "b", "c"] { _ = stack.tag(name) }
    try stack.save()
    let fetch = NSFetchRequest<Tag>(entityName: "Tag")
    fetch.predicate = NSPredicate(format: "name == 'a'")
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeCount
    let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
    #expect(result.result as? Int == 1)
    let erased: NSFetchRequest<any NSFetchRequestResult> = Tag.fetchRequest()
    erased.fetchLimit = 1
    erased.sortDescriptors = [.byName]
    let limited = NSBatchDeleteRequest(fetchRequest: erased)
    limited.resultType = .resultTypeObjectIDs
    let ids = (try stack.context.execute(limited) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
    #expect(ids?.count == 1)
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["c"])
  }

  @Test("a batch deletion accepts object IDs, also an empty list", arguments: StoreKind.takingBatches)
  func objectIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for name in ["a", "b"] { _ = stack.tag(name) }
    try stack.save()
    let tags = try stack.fetch(Tag.self, sort: [.byName])
    try stack.context.execute(NSBatchDeleteRequest(objectIDs: []))
    let request = NSBatchDeleteRequest(objectIDs: [tags[0].objectID])
    let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
    #expect(result.result as? Bool == true)
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["b"])
  }

  /// The number of objects that a deletion by IDs reports.
  private func deleted(_ objectIDs: [NSManagedObjectID], _ stack: Stack) throws -> Int? {
    let request = NSBatchDeleteRequest(objectIDs: objectIDs)
    request.resultType = .resultTypeCount
    return (try stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int
  }

  @Test("a batch deletion by IDs of two entities fails without effect", arguments: StoreKind.takingBatches)
  func mixedEntities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (tag, category) = (stack.tag("a"), stack.category("a"))
    try stack.save()
    for ids in [[tag.objectID, category.objectID], [category.objectID, tag.objectID, tag.objectID]] {
      let error = #expect(throws: CocoaError.self) { try deleted(ids, stack) }
      #expect(error?.code.rawValue == NSPersistentStoreOperationError)
      #expect(error?.localizedDescription.contains("Category, Tag") == true, "\(error as Any)")
    }
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).count == 1)
    #expect(try stack.fetch(Category.self, in: stack.newContext()).count == 1)
  }

  @Test("a batch deletion accepts IDs of an entity and subentities", arguments: StoreKind.takingBatches)
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let people = [Person(context: stack.context), Person(context: stack.context)]
    let employees = [Employee(context: stack.context), Employee(context: stack.context)]
    people[1].name = "stays"
    employees[1].name = "stays too"
    try stack.save()
    #expect(try deleted([employees[0].objectID, people[0].objectID], stack) == 2)
    let left = try stack.fetch(Person.self, in: stack.newContext()).compactMap(\.name).sorted()
    #expect(left == ["stays", "stays too"])
    #expect(try deleted([employees[1].objectID], stack) == 1)
    #expect(try stack.fetch(Person.self, in: stack.newContext()).map(\.name) == ["stays"])
  }

  @Test("a batch deletion by temporary object IDs deletes nothing", arguments: StoreKind.takingBatches)
  func temporaryIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let saved = stack.tag("saved")
    try stack.save()
    let new = stack.tag("new")
    #expect(try deleted([new.objectID], stack) == 0)
    #expect(try deleted([new.objectID, saved.objectID], stack) == 1)
    try stack.save()
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["new"])
  }

  @Test("a batch deletion by IDs of another store deletes nothing", arguments: StoreKind.takingBatches)
  func otherStore(_ kind: StoreKind) throws {
    let (stack, other) = (try Stack(kind), try Stack(kind))
    for name in ["a", "b"] {
      _ = stack.tag(name)
      _ = other.tag(name)
    }
    try stack.save()
    try other.save()
    let own = try stack.fetch(Tag.self, sort: [.byName])
    // Both stores have the same keys.
    let others = try other.fetch(Tag.self, sort: [.byName]).map(\.objectID)
    #expect(try deleted(others, stack) == 0)
    #expect(try deleted([others[1], own[0].objectID], stack) == 1)
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["b"])
    #expect(try other.fetch(Tag.self, in: other.newContext()).count == 2)
  }

  @Test("a batch deletion accepts IDs that another coordinator has given for the same store")
  func sameStore() throws {
    let stack = try Stack(.sqlite)
    for name in ["a", "b"] { _ = stack.tag(name) }
    try stack.save()
    let url = try #require(stack.coordinator.persistentStores.first?.url)
    // The coordinator adds the store as its second one.
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .inMemory)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let ids = try stack.fetch(Tag.self, sort: [.byName]).map(\.objectID)
    try context.execute(NSBatchDeleteRequest(objectIDs: [ids[0]]))
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).map(\.name) == ["b"])
  }

  @Test("a batch deletion only affects the stores that it names")
  func affectedStores() throws {
    let stack = try Stack(.inMemory)
    let second = try stack.coordinator.addPersistentStore(type: .inMemory)
    for store in stack.coordinator.persistentStores {
      let insertion = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]])
      insertion.affectedStores = [store]
      try stack.context.execute(insertion)
    }
    let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Tag>(entityName: "Tag"))
    request.affectedStores = [second]
    try stack.coordinator.execute(request, with: stack.context)
    let left = try #require(
      try stack.coordinator.execute(NSFetchRequest<Tag>(entityName: "Tag"), with: stack.context) as? [Tag]
    )
    #expect(left.map(\.objectID.persistentStore) == [stack.coordinator.persistentStores[0]])
  }

  @Test("a batch deletion is refused by another coordinator than the context's")
  func otherCoordinator() throws {
    let (one, other) = (try Stack(.inMemory), try Stack(.inMemory))
    let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Tag>(entityName: "Tag"))
    #expect(throws: (any Error).self) { try one.coordinator.execute(request, with: other.context) }
  }

  /// Books, each of which requires an author.
  private func library() -> NSManagedObjectModel {
    let (author, book) = (NSEntityDescription(), NSEntityDescription())
    let (books, writer) = (NSRelationshipDescription(), NSRelationshipDescription())
    (author.name, book.name) = ("Author", "Book")
    (books.name, books.destinationEntity, books.inverseRelationship) = ("books", book, writer)
    (writer.name, writer.destinationEntity, writer.inverseRelationship) = ("author", author, books)
    writer.maxCount = 1
    writer.isOptional = false
    author.properties = [books]
    book.properties = [writer]
    let model = NSManagedObjectModel()
    model.entities = [author, book]
    return model
  }

  @Test("a batch deletion keeps objects that others require", arguments: StoreKind.takingBatches)
  func requiredInverse(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: library())
    let authors = (0..<2).map { _ in
      NSEntityDescription.insertNewObject(forEntityName: "Author", into: stack.context)
    }
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: stack.context)
    book.setValue(authors[0], forKey: "author")
    try stack.save()
    func count(_ name: String) throws -> Int {
      try stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: name))
    }
    func delete(_ name: String) throws {
      try stack.context.execute(
        NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: name))
      )
    }
    let error = #expect(throws: CocoaError.self) { try delete("Author") }
    #expect(error?.code.rawValue == NSPersistentStoreSaveConflictsError)
    #expect(error?.localizedDescription.contains("Book.author") == true)
    #expect(try count("Author") == 2 && count("Book") == 1)
    try stack.context.execute(NSBatchDeleteRequest(objectIDs: [authors[1].objectID]))
    #expect(try count("Author") == 1)
    try delete("Book")
    try delete("Author")
    #expect(try count("Author") == 0)
  }
  @Test(
    "a batch deletion clears the same links as a save, for entities with few and with many attributes",
    arguments: StoreKind.takingBatches,
    [1, 12]
  )
  func laterSave(_ kind: StoreKind, _ attributeCount: Int) throws {
    let model = library()
    let writer = try #require(model.entitiesByName["Book"]?.relationshipsByName["author"])
    writer.isOptional = true
    let names = (0..<attributeCount).map { "attribute\($0)" }
    model.entitiesByName["Book"]?.properties += names.map { name -> NSPropertyDescription in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
      return attribute
    }
    let stack = try Stack(kind, model: model)
    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: stack.context)
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: stack.context)
    book.setValue(author, forKey: "author")
    try stack.save()
    try stack.context.execute(
      NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author"))
    )
    for name in names { book.setValue("later", forKey: name) }
    try stack.save()
    let context = stack.newContext()
    let saved = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first)
    #expect(saved.value(forKey: "author") == nil)
    #expect(names.allSatisfy { saved.value(forKey: $0) as? String == "later" })
  }
}
