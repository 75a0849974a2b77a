import CoreData
import Foundation
import Testing

@Suite("Examples of contexts")
struct ContextExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  @Test("a background context saves a new note")
  func background() async throws {
    // example: NSManagedObjectContext.swift class NSManagedObjectContext:
    let background = container.newBackgroundContext()
    try await background.perform {
      let note = Note(context: background)
      note.title = "Sow the broad beans"
      note.createdAt = Date()
      try background.save()
    }
    // end
    #expect(try savedTitles().contains("Sow the broad beans"))
  }

  @Test("a loop over faults is reported, and its values are read")
  func faultPolicy() throws {
    // example: FaultPolicy.swift enum FaultPolicy
    context.faultPolicy = .report(threshold: 2)
    for note in try context.fetch(NSFetchRequest<Note>(entityName: "Note")) {
      print(note.author?.name ?? "nobody")
    }
    // end
    #expect(context.faultPolicy == .report(threshold: 2))
    try context.throwReadFailure()
  }

  @Test("prefetched authors need two statements")
  func statements() async throws {
    // example: StatementExpectation.swift func expectStatements
    try await expectStatements(atMost: 2, in: container) {
      try await container.performBackgroundTask { context in
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.relationshipKeyPathsForPrefetching = ["author"]
        return try context.fetch(request).filter { $0.author?.name != nil }.count
      }
    }
    // end
    await #expect(throws: StatementCountError.self) {
      try await expectStatements(atMost: 0, in: container) {
        try await container.performBackgroundTask {
          try $0.count(for: NSFetchRequest<Note>(entityName: "Note"))
        }
      }
    }
  }

  @Test("a context is made for a coordinator")
  func makesContext() throws {
    // example: NSManagedObjectContext.swift init(concurrencyType: NSManagedObject
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    let count = try reader.performAndWait { try reader.count(for: Note.fetchRequest()) }
    // end
    #expect(count == 3)
  }

  @Test("the newer spelling makes the same context")
  func makesContextByNewerSpelling() {
    // example: NSManagedObjectContext.swift convenience init(_ concurrencyType
    let importer = NSManagedObjectContext(.privateQueue)
    importer.persistentStoreCoordinator = coordinator
    importer.name = "import"
    // end
    #expect(importer.concurrencyType == .privateQueueConcurrencyType)
  }

  @Test("the name of a context is in its description")
  func name() {
    // example: NSManagedObjectContext.swift var name: String?
    context.name = "import of the garden"
    print(context)
    // end
    #expect(context.description.contains("import of the garden"))
  }

  @Test("a context keeps values for the application")
  func userInfo() {
    // example: NSManagedObjectContext.swift let userInfo
    context.userInfo["importNumber"] = 7
    let number = context.userInfo["importNumber"] as? Int
    // end
    #expect(number == 7)
  }

  @Test("changes of a child reach the store by the saves of both")
  func parent() throws {
    // example: NSManagedObjectContext.swift var parent
    let draft = NSManagedObjectContext(.privateQueue)
    draft.parent = context
    try draft.performAndWait {
      Note(context: draft).title = "Mend the fence"
      try draft.save()
    }
    try context.save()
    // end
    #expect(try savedTitles().contains("Mend the fence"))
  }

  @Test("new objects are inserted by the next save")
  func insertedObjects() throws {
    // example: NSManagedObjectContext.swift var insertedObjects
    let note = Note(context: context)
    print(context.insertedObjects.contains(note))  // true
    try context.save()
    print(context.insertedObjects.isEmpty)  // true
    // end
    #expect(context.insertedObjects.isEmpty && !note.objectID.isTemporaryID)
  }

  @Test("changed objects are counted until they are saved")
  func updatedObjects() throws {
    // example: NSManagedObjectContext.swift var updatedObjects
    note.isPinned = false
    for case let note as Note in context.updatedObjects {
      print(note.title, note.changedValues().keys)
    }
    // end
    #expect(context.updatedObjects == [note])
  }

  @Test("a context lists the objects that the next save deletes")
  func deletedObjects() throws {
    // example: NSManagedObjectContext.swift var deletedObjects
    context.delete(note)
    print(context.deletedObjects.count)  // 1
    // end
    #expect(context.deletedObjects == [note])
  }

  @Test("a context knows whether there is anything to save")
  func hasChanges() throws {
    note.rating = 4
    // example: NSManagedObjectContext.swift open var hasChanges
    if context.hasChanges {
      try context.save()
    }
    // end
    #expect(!context.hasChanges)
  }

  @Test("an object that a context has is found without asking the store")
  func registeredObject() {
    // example: NSManagedObjectContext.swift func registeredObject(for
    let known = context.registeredObject(for: note.objectID)
    print(known === note)  // true
    // end
    #expect(known === note)
  }

  @Test("the object of an ID is a fault until it is used")
  func object() throws {
    let id = note.objectID
    let context = container.newBackgroundContext()
    // example: NSManagedObjectContext.swift func object(with
    let note = context.object(with: id) as? Note
    print(note?.isFault ?? false)  // true
    print(note?.title ?? "")  // Prune the apple tree
    // end
    #expect(note?.title == "Prune the apple tree")
  }

  @Test("looking up a deleted object by its ID is an error")
  func existingObject() throws {
    let id = note.objectID
    context.delete(note)
    try context.save()
    let context = container.newBackgroundContext()
    // example: NSManagedObjectContext.swift func existingObject(with
    do {
      let note = try context.existingObject(with: id) as? Note
      print(note?.title ?? "")
    } catch {
      print("the note is gone: \(error.localizedDescription)")
    }
    // end
    #expect(throws: (any Error).self) { try context.existingObject(with: id) }
  }

  @Test("an object without a context is inserted later")
  func insert() throws {
    // example: NSManagedObjectContext.swift func insert(_ object
    let note = Note(entity: Note.entity(), insertInto: nil)
    note.title = "Mend the fence"
    context.insert(note)
    try context.save()
    // end
    #expect(try savedTitles().contains("Mend the fence"))
  }

  @Test("a save deletes marked objects")
  func delete() throws {
    // example: NSManagedObjectContext.swift func delete(_ object
    context.delete(note)
    try context.save()
    // end
    #expect(try savedTitles() == ["Sow the peas", "Order compost"])
  }

  @Test("a refresh loads what others have saved, and keeps changes")
  func refresh() throws {
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    note.rating = 2
    try other.performAndWait {
      (other.object(with: id) as? Note)?.title = "Prune the pear tree"
      try other.save()
    }
    // example: NSManagedObjectContext.swift func refresh(_ object
    context.refresh(note, mergeChanges: true)
    print(note.title, note.rating)
    // end
    #expect(note.title == "Prune the pear tree" && note.rating == 2)
  }

  @Test("all objects are brought up to date")
  func refreshAll() throws {
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    try other.performAndWait {
      (other.object(with: id) as? Note)?.title = "Prune the pear tree"
      try other.save()
    }
    // example: NSManagedObjectContext.swift func refreshAllObjects
    context.refreshAllObjects()
    print(notes.map(\.title))
    // end
    #expect(note.title == "Prune the pear tree")
  }

  @Test("delete rules are applied when changes are processed")
  func processPendingChanges() throws {
    // example: NSManagedObjectContext.swift func processPendingChanges
    if let author = note.author {
      context.delete(author)
    }
    context.processPendingChanges()
    print(note.author == nil)  // true
    // end
    #expect(note.author == nil)
  }

  @Test("a save that fails keeps the changes, which can be dropped")
  func save() throws {
    note.setValue(nil, forKey: "title")
    // example: NSManagedObjectContext.swift func save() throws
    do {
      try context.save()
    } catch {
      print("nothing was saved: \(error.localizedDescription)")
      context.rollback()
    }
    // end
    #expect(note.title == "Prune the apple tree")
  }

  @Test("a change is undone")
  func undo() {
    context.undoManager = UndoManager()
    // example: NSManagedObjectContext.swift func undo()
    note.title = "Fell the apple tree"
    context.undo()
    print(note.title)  // Prune the apple tree
    // end
    #expect(note.title == "Prune the apple tree")
  }

  @Test("an undone change is redone")
  func redo() {
    context.undoManager = UndoManager()
    note.title = "Fell the apple tree"
    // example: NSManagedObjectContext.swift func redo()
    context.undo()
    context.redo()
    print(note.title)  // Fell the apple tree
    // end
    #expect(note.title == "Fell the apple tree")
  }

  @Test("a context with an undo manager undoes changes")
  func undoManager() {
    // example: NSManagedObjectContext.swift var undoManager
    let manager = UndoManager()
    context.undoManager = manager
    note.isPinned = false
    context.processPendingChanges()
    if manager.canUndo { context.undo() }
    // end
    #expect(note.isPinned)
  }

  @Test("a rollback drops all changes")
  func rollback() {
    // example: NSManagedObjectContext.swift func rollback()
    note.title = "Fell the apple tree"
    context.delete(notes[1])
    context.rollback()
    print(note.title, context.hasChanges)  // Prune the apple tree false
    // end
    #expect(note.title == "Prune the apple tree" && !context.hasChanges)
  }

  @Test("a reset forgets all objects")
  func reset() throws {
    let context = container.newBackgroundContext()
    // example: NSManagedObjectContext.swift func reset()
    for number in 1...100 {
      Note(context: context).title = "Note \(number)"
      if number.isMultiple(of: 25) {
        try context.save()
        context.reset()
      }
    }
    // end
    #expect(context.registeredObjects.isEmpty)
  }

  @Test("a new object is saved in the store that was chosen for it")
  func assign() throws {
    // example: NSManagedObjectContext.swift func assign(_ object
    let archive = try coordinator.addPersistentStore(type: .inMemory)
    let note = Note(context: context)
    context.assign(note, to: archive)
    try context.save()
    // end
    #expect(note.objectID.persistentStore === archive)
  }

  @Test("a new object gets its permanent ID before it is saved")
  func obtainPermanentIDs() throws {
    // example: NSManagedObjectContext.swift func obtainPermanentIDs
    let note = Note(context: context)
    try context.obtainPermanentIDs(for: [note])
    let address = note.objectID.uriRepresentation()
    // end
    #expect(coordinator.managedObjectID(forURIRepresentation: address) == note.objectID)
  }

  @Test("a context finds the entity of a name")
  func entity() throws {
    // example: NSManagedObjectContext+Connection.swift class func entity(
    let entity = NSEntityDescription.entity(forEntityName: "Song", in: context)
    print(entity?.attributesByName.keys.sorted() ?? [])
    // end
    #expect(entity?.name == "Song")
  }

  @Test("an object is created from an entity without a class")
  func insertNewObject() throws {
    // example: NSManagedObjectContext+Connection.swift class func insertNewObject(
    let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
    song.setValue("Low Tide", forKey: "title")
    song.setValue(201, forKey: "seconds")
    try context.save()
    // end
    #expect(song.value(forKey: "seconds") as? Int == 201)
  }

  @Test("unreadable values are reported")
  func readFailureHandling() {
    // example: ReadFailure.swift enum ReadFailureHandling
    container.readFailureHandling = .call { failure in
      print("\(failure.key ?? "an object") could not be read: \(failure.error)")
    }
    // end
    guard case .call = container.readFailureHandling else {
      Issue.record("the handling was not kept")
      return
    }
  }

  @Test("what could not be read is thrown when the reader asks")
  func throwReadFailure() throws {
    // example: ReadFailure.swift func throwReadFailure
    let page = notes.map { "\($0.title), by \($0.author?.name ?? "nobody")" }
    try context.throwReadFailure()
    // end
    #expect(page.first == "Prune the apple tree, by Ines")
  }
}
