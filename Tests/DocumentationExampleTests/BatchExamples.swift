import CoreData
import Foundation
import Testing

@Suite("Examples of batch requests")
struct BatchExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook(NSSQLiteStoreType) }

  private func insertSongs() throws {
    for (title, plays) in [("Low Tide", 0), ("Salt on the Stairs", 12)] {
      let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
      song.setValue(title, forKey: "title")
      song.setValue(plays, forKey: "plays")
      if plays > 0 { song.setValue(Date(), forKey: "lastPlayedAt") }
    }
    try context.save()
  }

  private func songCount() throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song"))
  }

  @Test("dictionaries become objects")
  func insert() throws {
    // example: NSBatchInsertRequest.swift class NSBatchInsertRequest
    let songs: [[String: Any]] = [
      ["title": "Low Tide", "seconds": 201],
      ["title": "Salt on the Stairs", "seconds": 187],
    ]
    let request = NSBatchInsertRequest(entityName: "Song", objects: songs)
    request.resultType = .count
    let result = try context.execute(request) as? NSBatchInsertResult
    print(result?.result as? Int ?? 0, "songs are in the store")
    // end
    #expect(result?.result as? Int == 2)
  }

  @Test("a handler fills one dictionary after the other")
  func dictionaryHandler() throws {
    // example: NSBatchInsertRequest.swift init(entityName: String, dictionaryHandler
    var titles = ["Low Tide", "Salt on the Stairs"].makeIterator()
    let request = NSBatchInsertRequest(entityName: "Song") { (song: NSMutableDictionary) in
      guard let title = titles.next() else { return true }
      song["title"] = title
      return false
    }
    try context.execute(request)
    // end
    #expect(try songCount() == 2)
  }

  @Test("a handler fills one object after the other")
  func managedObjectHandler() throws {
    // example: NSBatchInsertRequest.swift init(entityName: String, managedObjectHandler
    var numbers = (1...100).makeIterator()
    let request = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) in
      guard let note = object as? Note, let number = numbers.next() else { return true }
      note.title = "Note \(number)"
      return false
    }
    try context.execute(request)
    // end
    #expect(try savedTitles().count == 103)
  }

  @Test("all objects of a predicate get new values")
  func update() throws {
    try insertSongs()
    // example: NSBatchUpdateRequest.swift class NSBatchUpdateRequest
    let request = NSBatchUpdateRequest(entityName: "Song")
    request.predicate = NSPredicate(format: "lastPlayedAt == nil")
    request.propertiesToUpdate = ["isNew": true, "plays": 0]
    request.resultType = .updatedObjectsCountResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    print(result?.result as? Int ?? 0, "songs were never played")
    // end
    #expect(result?.result as? Int == 1)
  }

  @Test("a value is computed in the store")
  func updateByExpression() throws {
    try insertSongs()
    // example: NSBatchUpdateRequest.swift var propertiesToUpdate
    let request = NSBatchUpdateRequest(entityName: "Song")
    request.propertiesToUpdate = ["plays": NSExpression(format: "plays + 1")]
    try context.execute(request)
    // end
    context.refreshAllObjects()
    let songs = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))
    #expect(Set(songs.compactMap { $0.value(forKey: "plays") as? Int }) == [1, 13])
  }

  @Test("contexts merge the deletions of a batch")
  func delete() throws {
    notes[2].createdAt = Date(timeIntervalSince1970: 0)
    try context.save()
    let id = notes[2].objectID
    // example: NSBatchDeleteRequest.swift class NSBatchDeleteRequest
    let old = NSFetchRequest<Note>(entityName: "Note")
    old.predicate = NSPredicate(format: "createdAt < %@", Date(timeIntervalSinceNow: -31_536_000))
    let request = NSBatchDeleteRequest(fetchRequest: old)
    request.resultType = .resultTypeObjectIDs
    let result = try context.execute(request) as? NSBatchDeleteResult
    let deleted = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [context])
    // end
    #expect((result?.result as? [NSManagedObjectID])?.contains(id) == true)
  }

  @Test("objects are deleted by their IDs")
  func deleteByID() throws {
    // example: NSBatchDeleteRequest.swift init(objectIDs
    let request = NSBatchDeleteRequest(objectIDs: notes.map(\.objectID))
    request.resultType = .resultTypeCount
    let result = try context.execute(request) as? NSBatchDeleteResult
    print(result?.result as? Int ?? 0)  // 3
    // end
    #expect(result?.result as? Int == 3)
  }

  @Test("a request is executed by the context, which answers its result")
  func execute() throws {
    // example: NSManagedObjectContext.swift func execute(_ request
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.propertiesToUpdate = ["isPinned": false]
    request.resultType = .updatedObjectIDsResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    let changed = [NSUpdatedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changed, into: [context])
    // end
    #expect(!note.isPinned)
  }
}
