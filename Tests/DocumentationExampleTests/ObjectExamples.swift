import CoreData
import Foundation
import Testing

// example: KeyedMembers.swift class KeyedMembers
final class _ManagedObjectKeyedMembers: KeyedMembers {
  override class func declare(in list: KeyedMemberList) {
    list.add("isSigned", reading: \Note.isSigned)
    list.addValidation("Title") { (note: Note) in note.validateTitle }
  }
}
// end

@Suite("Examples of managed objects")
struct ObjectExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  @Test("computed properties are found by key")
  func keyedMembers() throws {
    #expect(note.value(forKey: "isSigned") as? Bool == true)
    note.title = ""
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("an object is created with the entity of its class")
  func initInContext() throws {
    // example: ContextMakable.swift init(context: NSManagedObjectContext)
    let note = Note(context: context)
    note.title = "Mend the fence"
    try context.save()
    // end
    #expect(try savedTitles().contains("Mend the fence"))
  }

  @Test("an object is created with a class that is known at run time")
  func initOnMetatype() throws {
    // example: ContextMakable.swift init<Entity: NSEntityDescription>
    func make<Object: NSManagedObject>(_ type: Object.Type) -> Object {
      Object(entity: Object.entity(), insertInto: context)
    }
    make(Note.self).title = "Oil the gate"
    try context.save()
    // end
    #expect(try savedTitles().contains("Oil the gate"))
  }

  @Test("an object is created with an entity")
  func initWithEntity() throws {
    // example: NSManagedObject.swift init(entity: NSEntityDescription
    if let entity = model.entitiesByName["Song"] {
      let song = NSManagedObject(entity: entity, insertInto: context)
      song.setValue("Low Tide", forKey: "title")
    }
    // end
    #expect(context.insertedObjects.first?.value(forKey: "title") as? String == "Low Tide")
  }

  @Test("a class knows its entity")
  func entityOfClass() {
    // example: NSManagedObject.swift class func entity()
    let names = Note.entity().attributesByName.keys.sorted()
    print(names)  // ["createdAt", "isPinned", "rating", "text", "title"]
    // end
    #expect(names == ["createdAt", "isPinned", "rating", "text", "title"])
  }

  @Test("a class makes a request for its objects")
  func fetchRequest() throws {
    // example: NSManagedObject.swift class func fetchRequest()
    let request: NSFetchRequest<any NSFetchRequestResult> = Author.fetchRequest()
    let count = try context.count(for: request)
    // end
    #expect(count == 2)
  }

  @Test("an object knows its context")
  func managedObjectContext() throws {
    // example: NSManagedObject.swift var managedObjectContext
    if let context = note.managedObjectContext, context.hasChanges {
      try context.save()
    }
    // end
    #expect(note.managedObjectContext === context)
  }

  @Test("an ID names an object in every context")
  func objectID() async throws {
    // example: NSManagedObjectID.swift class NSManagedObjectID
    let id = note.objectID
    try await container.performBackgroundTask { background in
      let note = try background.existingObject(with: id) as? Note
      note?.isPinned = true
      try background.save()
    }
    // end
    #expect(try container.newBackgroundContext().existingObject(with: id).objectID == id)
  }

  @Test("an ID is temporary until its object is saved")
  func isTemporaryID() throws {
    // example: NSManagedObjectID.swift var isTemporaryID
    let note = Note(context: context)
    print(note.objectID.isTemporaryID)  // true
    try context.save()
    print(note.objectID.isTemporaryID)  // false
    // end
    #expect(!note.objectID.isTemporaryID)
  }

  @Test("an ID has an address that can be written down")
  func uriRepresentation() {
    // example: NSManagedObjectID.swift func uriRepresentation
    let address = note.objectID.uriRepresentation().absoluteString
    print(address)  // x-coredata://…/Note/p1
    // end
    #expect(address.hasPrefix("x-coredata://"))
  }

  @Test("an object knows that it is new")
  func isInserted() {
    // example: NSManagedObject.swift var isInserted
    let draft = Note(context: context)
    print(draft.isInserted, note.isInserted)  // true false
    // end
    #expect(draft.isInserted && !note.isInserted)
  }

  @Test("an object knows that it was changed")
  func isUpdated() {
    // example: NSManagedObject.swift var isUpdated
    note.rating = 4
    print(note.isUpdated)  // true
    // end
    #expect(note.isUpdated)
  }

  @Test("an object knows that it will be deleted")
  func isDeleted() {
    // example: NSManagedObject.swift var isDeleted
    context.delete(note)
    print(note.isDeleted)  // true
    // end
    #expect(note.isDeleted)
  }

  @Test("an object whose values were set back has nothing to save")
  func hasPersistentChangedValues() {
    // example: NSManagedObject.swift var hasPersistentChangedValues
    let rating = note.rating
    note.rating = 1
    note.rating = rating
    print(note.hasChanges, note.hasPersistentChangedValues)  // true false
    // end
    #expect(note.hasChanges && !note.hasPersistentChangedValues)
  }

  @Test("an object is a fault until it is used")
  func isFault() throws {
    let context = container.newBackgroundContext()
    // example: NSManagedObject.swift var isFault
    let notes = try context.fetch(Note.fetchRequest())
    print(notes[0].isFault)  // true
    print(notes[0].title, notes[0].isFault)  // the title, and false
    // end
    #expect(notes.filter(\.isFault).count == 2)
  }

  @Test("the destinations of a relationship are not fetched before they are asked for")
  func hasFault() throws {
    let context = container.newBackgroundContext()
    let note = try #require(try context.existingObject(with: note.objectID) as? Note)
    // example: NSManagedObject.swift func hasFault(forRelationshipNamed
    print(note.hasFault(forRelationshipNamed: "tags"))  // true
    print(note.tags.count, note.hasFault(forRelationshipNamed: "tags"))  // 1 false
    // end
    #expect(!note.hasFault(forRelationshipNamed: "tags"))
  }

  @Test("the IDs of destinations come without their values")
  func objectIDs() {
    // example: NSManagedObject.swift func objectIDs(forRelationshipNamed
    let tagIDs = note.objectIDs(forRelationshipNamed: "tags")
    print(tagIDs.count)  // 1
    // end
    #expect(tagIDs.count == 1)
  }

  @Test("changed values are those now")
  func changedValues() {
    // example: NSManagedObject.swift func changedValues()
    note.rating = 4
    print(note.changedValues())  // ["rating": 4]
    // end
    #expect(note.changedValues().keys.sorted() == ["rating"])
  }

  @Test("an object lists its changes since the last event")
  func changedValuesForCurrentEvent() {
    // example: NSManagedObject.swift func changedValuesForCurrentEvent
    note.rating = 4
    context.processPendingChanges()
    note.isPinned = false
    print(note.changedValuesForCurrentEvent().keys)  // ["isPinned"]
    // end
    #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["isPinned"])
  }

  @Test("committed values are the values of the last save")
  func committedValues() {
    // example: NSManagedObject.swift func committedValues(forKeys
    note.title = "Fell the apple tree"
    let before = note.committedValues(forKeys: ["title"])
    print(before["title"] ?? "")  // Prune the apple tree
    // end
    #expect(before["title"] as? String == "Prune the apple tree")
  }

  @Test("a value is read by its key")
  func value() {
    // example: NSManagedObject.swift func value(forKey
    let title = note.value(forKey: "title") as? String
    let author = note.value(forKey: "author") as? NSManagedObject
    print(title ?? "", author?.value(forKey: "name") ?? "")  // Prune the apple tree Ines
    // end
    #expect(title == "Prune the apple tree" && author === note.author)
  }

  @Test("a value is set by its key, and the inverse of a relationship with it")
  func setValue() throws {
    // example: NSManagedObject.swift func setValue(_ value: Any?, forKey
    let author = Author(context: context)
    note.setValue(author, forKey: "author")
    note.setValue(4, forKey: "rating")
    print(author.notes.contains(note))  // true
    // end
    #expect(author.notes == [note] && note.rating == 4)
  }

  @Test("a subscript reads and sets by key")
  func keyedSubscript() {
    // example: NSManagedObject.swift subscript(key
    note["text"] = "in February, before the sap rises"
    let text = note["text"] as? String
    // end
    #expect(text == note.text && text?.isEmpty == false)
  }

  @Test("a path of keys leads through relationships")
  func keyPath() {
    // example: NSManagedObject+KeyValueCoding.swift func value(forKeyPath
    let name = note.value(forKeyPath: "author.name") as? String
    let best = note.author?.value(forKeyPath: "notes.@max.rating") as? Int
    print(name ?? "", best ?? 0)  // Ines 5
    // end
    #expect(name == "Ines" && best == 5)
  }

  @Test("a property at the end of a path is set")
  func setKeyPath() {
    // example: NSManagedObject+KeyValueCoding.swift func setValue(_ value: Any?, forKeyPath
    note.setValue("Inês", forKeyPath: "author.name")
    // end
    #expect(note.author?.name == "Inês")
  }

  @Test("several values are read at once")
  func dictionary() {
    // example: NSManagedObject+KeyValueCoding.swift func dictionaryWithValues
    let values = note.dictionaryWithValues(forKeys: ["title", "text"])
    print(values["text"] is NSNull)  // true: it has none
    // end
    #expect(values["text"] is NSNull && values["title"] as? String == note.title)
  }

  @Test("several values are set at once")
  func setDictionary() {
    // example: NSManagedObject+KeyValueCoding.swift func setValuesForKeys
    note.setValuesForKeys(["title": "Prune the pear tree", "rating": 4, "text": NSNull()])
    // end
    #expect(note.title == "Prune the pear tree" && note.rating == 4 && note.text == nil)
  }

  @Test("a set of destinations changes the relationship")
  func mutableSet() {
    // example: NSManagedObject+ToMany.swift func mutableSetValue
    let tag = Tag(context: context)
    tag.name = "spring"
    note.mutableSetValue(forKey: "tags").add(tag)
    print(tag.notes.contains(note))  // true
    // end
    #expect(note.tags.contains(tag) && tag.notes == [note])
  }

  @Test("a primitive value is set without counting as a change")
  func setPrimitiveValue() {
    // example: NSManagedObject.swift func setPrimitiveValue
    note.setPrimitiveValue("read in the meantime", forKey: "text")
    print(note.text ?? "", note.hasChanges)  // read in the meantime false
    // end
    #expect(note.text == "read in the meantime" && !note.hasChanges)
  }

  @Test("an object is checked before it is saved")
  func validateForUpdate() {
    // example: NSManagedObject.swift func validateForUpdate
    note.setValue(nil, forKey: "title")
    do {
      try note.validateForUpdate()
    } catch let error as NSError {
      print(error.userInfo[NSValidationKeyErrorKey] ?? "")  // title
    }
    // end
    #expect(throws: (any Error).self) { try note.validateForUpdate() }
  }
}
