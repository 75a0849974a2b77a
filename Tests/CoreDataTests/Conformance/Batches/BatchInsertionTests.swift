import CoreData
import Foundation
import Testing

@Suite("A batch insertion")
struct BatchInsertionTests {
  @Test(
    "a batch insertion inserts an object for each dictionary, with default values for missing keys",
    arguments: StoreKind.takingBatches
  )
  func dictionaries(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let day = Date(timeIntervalSinceReferenceDate: 1000)
    let request = NSBatchInsertRequest(
      entityName: "Note",
      objects: [
        [
          "title": "a", "rating": 5, "createdAt": day, "isPinned": true,
          "price": Decimal(string: "1.5") as Any,
        ],
        ["title": "b", "createdAt": NSNull()],
      ]
    )
    let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
    #expect(result.result as? Bool == true)
    let notes = try stack.fetch(Note.self, sort: [.byTitle])
    #expect(notes.map(\.title) == ["a", "b"])
    #expect(notes.map(\.rating) == [5, 3])
    #expect(notes.map(\.createdAt) == [day, nil])
    #expect(notes[0].value(forKey: "isPinned") as? Bool == true)
    #expect(notes[0].value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
    notes[0].rating = 6
    try stack.save()
  }

  @Test("a batch insertion calls a dictionary handler until it is true", arguments: StoreKind.takingBatches)
  func dictionaryHandler(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    var next = 0
    let request = NSBatchInsertRequest(entityName: "Tag") { (values: NSMutableDictionary) in
      if next == 2500 { return true }
      values["name"] = "\(next)"
      next += 1
      return false
    }
    request.resultType = .count
    let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
    #expect(result.result as? Int == 2500)
    #expect(try stack.context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 2500)
    let keys = Set(try stack.fetch(Tag.self).map { $0.objectID.uriRepresentation() })
    #expect(keys.count == 2500)
  }

  @Test(
    "a batch insertion passes a handler objects of the entity's class with default values",
    arguments: StoreKind.takingBatches
  )
  func objectHandler(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    var next = 0
    let request = NSBatchInsertRequest(entity: Note.entity()) { (object: NSManagedObject) in
      guard next < 3, let note = object as? Note else { return true }
      #expect(note.title == nil && note.rating == 3 && note.managedObjectContext == nil)
      note.title = "\(next)"
      if next == 1 { note.rating = 9 }
      next += 1
      return false
    }
    request.resultType = .objectIDs
    let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.count == 3 && ids.allSatisfy { !$0.isTemporaryID })
    let notes = try ids.map { try #require(try stack.context.existingObject(with: $0) as? Note) }
    #expect(notes.map(\.title) == ["0", "1", "2"])
    #expect(notes.map(\.rating) == [3, 9, 3])
    #expect(!stack.context.hasChanges)
  }

  @Test("a batch insertion names an invalid object and inserts nothing", arguments: StoreKind.takingBatches)
  func wrongObjects(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    func failure(_ values: [String: Any]) throws -> NSError {
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["title": "a"], values])
      let error = try #require(throws: (any Error).self) { try stack.context.execute(request) }
      return error as NSError
    }
    let missing = try failure(["rating": 1])
    #expect(missing.code == NSValidationMissingMandatoryPropertyError)
    #expect(missing.localizedDescription.contains("object 1 of the batch has no value for Note.title"))
    let wrong = try failure(["title": 7])
    #expect(wrong.localizedDescription.contains("object 1 of the batch: Note.title cannot be 7"))
    #expect(try failure(["name": "x"]).localizedDescription.contains("Note has no property named name"))
    #expect(try failure(["title": "b", "tags": Set<Tag>()]).localizedDescription.contains("Note.tags"))
    #expect(try failure(["title": "b", "draft": "x"]).localizedDescription.contains("Note.draft"))
    #expect(try stack.fetch(Note.self).isEmpty)
  }

  @Test("a batch insertion ignores relationships set by a handler", arguments: StoreKind.takingBatches)
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    try stack.save()
    let request = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) in
      object.setValue("a", forKey: "title")
      object.setValue(category, forKey: "category")
      return false
    }
    let error = #expect(throws: (any Error).self) { try stack.context.execute(request) }
    #expect(
      (error as? NSError)?.localizedDescription.contains("Note.category, which is a relationship") == true
    )
    #expect(category.notes.isEmpty)
  }

  @Test("a batch insertion needs a concrete entity and objects to insert")
  func badRequests() throws {
    let stack = try Stack(.inMemory)
    #expect(throws: (any Error).self) {
      try stack.context.execute(NSBatchInsertRequest(entityName: "Nothing", objects: []))
    }
    let empty = NSBatchInsertRequest(entityName: "Note", objects: [])
    empty.objectsToInsert = nil
    #expect(throws: (any Error).self) { try stack.context.execute(empty) }
  }

  @Test("a batch insertion goes to one of the affected stores")
  func affectedStores() throws {
    let stack = try Stack(.inMemory)
    let second = try stack.coordinator.addPersistentStore(type: .inMemory)
    let request = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]])
    request.affectedStores = [second]
    request.resultType = .objectIDs
    let result = try #require(try stack.context.execute(request) as? NSBatchInsertResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.map(\.persistentStore) == [second])
  }

  @Test("the store of a batch insertion can be removed afterwards", arguments: StoreKind.takingBatches)
  func closing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try stack.context.execute(
      NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"], ["name": "b"]])
    )
    let store = try #require(stack.coordinator.persistentStores.first)
    try stack.coordinator.remove(store)
    #expect(stack.coordinator.persistentStores.isEmpty)
  }
}
