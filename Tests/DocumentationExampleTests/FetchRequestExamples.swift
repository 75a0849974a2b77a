import CoreData
import Foundation
import Testing

@Suite("Examples of fetch requests")
struct FetchRequestExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  @Test("a request finds the objects that fulfil its predicate, in its order")
  func request() throws {
    // example: NSFetchRequest.swift class NSFetchRequest<ResultType>
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title CONTAINS[cd] %@", "apple")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
    request.fetchLimit = 20
    for note in try context.fetch(request) {
      print(note.title)
    }
    // end
    #expect(try context.fetch(request) == [note])
  }

  @Test("a request is executed in the context whose block runs")
  func execute() throws {
    // example: NSFetchRequest.swift func execute() throws
    let notes = try context.performAndWait { try Note.fetchRequest().execute() }
    // end
    #expect(notes.count == 3)
  }

  @Test("a request names its entity, whose objects need no class of their own")
  func entityName() throws {
    // example: NSFetchRequest.swift init(entityName: String)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    // end
    #expect(names.sorted() == ["Ines", "Tomas"])
  }

  @Test("a predicate chooses by values of the object and of its relationships")
  func predicate() throws {
    // example: NSFetchRequest.swift var predicate: NSPredicate?
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "isPinned == YES AND author.name == %@", "Ines")
    let pinned = try context.fetch(request)
    // end
    #expect(pinned == [note])
  }

  @Test("the second sort descriptor orders objects that are equal by the first")
  func sortDescriptors() throws {
    // example: NSFetchRequest.swift var sortDescriptors
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [
      NSSortDescriptor(keyPath: \Note.isPinned, ascending: false),
      NSSortDescriptor(keyPath: \Note.title, ascending: true),
    ]
    let titles = try context.fetch(request).map(\.title)
    // end
    #expect(titles == ["Prune the apple tree", "Order compost", "Sow the peas"])
  }

  @Test("a limit takes the first of the results")
  func fetchLimit() throws {
    // example: NSFetchRequest.swift var fetchLimit
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
    request.fetchLimit = 1
    let newest = try context.fetch(request).first
    // end
    #expect(newest?.title == "Order compost")
  }

  @Test("an offset and a limit make a page")
  func fetchOffset() throws {
    // example: NSFetchRequest.swift var fetchOffset
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    request.fetchLimit = 2
    request.fetchOffset = 2
    let secondPage = try context.fetch(request)
    // end
    #expect(secondPage.map(\.title) == ["Order compost"])
  }

  @Test("IDs come without objects")
  func resultType() throws {
    // example: NSFetchRequest.swift var resultType
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    let ids = try context.fetch(request)
    // end
    #expect(Set(ids) == Set(notes.map(\.objectID)))
  }

  @Test("dictionaries have the properties that were asked for")
  func propertiesToFetch() throws {
    // example: NSFetchRequest.swift var propertiesToFetch
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title", "author.name"]
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let rows = try context.fetch(request)
    print(rows.last?["author.name"] ?? "nobody")
    // end
    #expect(rows.count == 3)
    #expect(rows.last?["author.name"] as? String == "Ines")
  }

  @Test("groups have one dictionary each")
  func propertiesToGroupBy() throws {
    // example: NSFetchRequest.swift var propertiesToGroupBy
    let best = NSExpressionDescription()
    best.name = "best"
    best.expression = NSExpression(format: "max:(rating)")
    best.expressionResultType = .integer64AttributeType

    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["isPinned", best]
    request.propertiesToGroupBy = ["isPinned"]
    let groups = try context.fetch(request)
    // end
    #expect(Set(groups.compactMap { $0["best"] as? Int }) == [5, 3])
  }

  @Test("a group that does not fulfil the predicate is left out")
  func havingPredicate() throws {
    // example: NSFetchRequest.swift var havingPredicate
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["isPinned"]
    request.propertiesToGroupBy = ["isPinned"]
    request.havingPredicate = NSPredicate(format: "max:(rating) > 4")
    let groups = try context.fetch(request)
    // end
    #expect(groups.map { $0["isPinned"] as? Bool } == [true])
  }

  @Test("equal dictionaries come once")
  func returnsDistinctResults() throws {
    // example: NSFetchRequest.swift var returnsDistinctResults
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["isPinned"]
    request.returnsDistinctResults = true
    let kinds = try context.fetch(request)
    // end
    #expect(kinds.count == 2)
  }

  @Test("an expression is a column of the dictionary")
  func expressionDescription() throws {
    // example: NSExpressionDescription.swift class NSExpressionDescription
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(format: "count:(title)")
    count.expressionResultType = .integer64AttributeType

    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [count]
    let number = try context.fetch(request).first?["count"] as? Int
    // end
    #expect(number == 3)
  }

  @Test("unsaved objects are left out if pending changes are excluded")
  func includesPendingChanges() throws {
    // example: NSFetchRequest.swift var includesPendingChanges
    let draft = Note(context: context)
    draft.title = "Mend the fence"

    let request = NSFetchRequest<Note>(entityName: "Note")
    request.includesPendingChanges = false
    let saved = try context.fetch(request)
    // end
    #expect(saved.count == 3)
    #expect(try context.count(for: Note.fetchRequest()) == 4)
  }

  @Test("objects that are not faults have their values")
  func returnsObjectsAsFaults() throws {
    let context = container.newBackgroundContext()
    // example: NSFetchRequest.swift var returnsObjectsAsFaults
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.returnsObjectsAsFaults = false
    let notes = try context.fetch(request)
    print(notes.filter(\.isFault).count)  // 0
    // end
    #expect(notes.filter(\.isFault).isEmpty)
  }

  @Test("a batch size has the result hold all objects all the same")
  func fetchBatchSize() throws {
    // example: NSFetchRequest.swift var fetchBatchSize
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchBatchSize = 50
    let notes = try context.fetch(request)
    print(notes.count, "notes, of which the first 50 are read when one of them is used")
    // end
    #expect(notes.map(\.title) == ["Order compost", "Prune the apple tree", "Sow the peas"])
  }

  @Test("related objects are prefetched with the objects")
  func prefetching() throws {
    let context = container.newBackgroundContext()
    // example: NSFetchRequest.swift var relationshipKeyPathsForPrefetching
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = ["author", "tags"]
    let lines = try context.fetch(request).map { note in
      "\(note.author?.name ?? "nobody"): \(note.title), \(note.tags.count) tags"
    }
    // end
    #expect(lines.contains("Ines: Prune the apple tree, 1 tags"))
  }

  @Test("a request that refreshes loads what others have saved")
  func refreshing() throws {
    #expect(note.title == "Prune the apple tree")
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    try other.performAndWait {
      (other.object(with: id) as? Note)?.title = "Prune the pear tree"
      try other.save()
    }
    // example: NSFetchRequest.swift var shouldRefreshRefetchedObjects
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "isPinned == YES")
    request.shouldRefreshRefetchedObjects = true
    let pinned = try context.fetch(request)
    // end
    #expect(pinned.map(\.title) == ["Prune the pear tree"])
  }

  @Test("a request asks the stores that it names alone")
  func affectedStores() throws {
    // example: NSPersistentStoreRequest.swift var affectedStores
    let archive = try coordinator.addPersistentStore(type: .inMemory)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.affectedStores = [archive]
    let archived = try context.fetch(request)
    // end
    #expect(archived.isEmpty)
  }

  @Test("a context fetches objects, each once")
  func fetch() throws {
    // example: NSManagedObjectContext+Fetch.swift func fetch<ResultType>
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "rating >= 3")
    let first = try context.fetch(request)
    let second = try context.fetch(request)
    print(Set(first).union(second).count)  // 2: the objects of both are the same
    // end
    #expect(Set(first).union(second).count == 2)
  }

  @Test("counting makes no objects")
  func count() throws {
    // example: NSManagedObjectContext.swift func count<ResultType>
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "author == nil")
    let unsigned = try context.count(for: request)
    // end
    #expect(unsigned == 1)
  }

  @Test("all saved objects come in batches")
  func batches() throws {
    // example: NSManagedObjectContext+Enumerating.swift func forEachBatch
    var batchCount = 0
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    try context.forEachBatch(of: request, size: 2) { notes in
      batchCount += 1
      for case let note as Note in notes { note.rating += 1 }
      try context.save()
    }
    // end
    #expect(batchCount == 2)
    #expect(notes.map(\.rating) == [6, 4, 2])
  }

  @Test("saved values come without objects")
  func savedValues() throws {
    // example: NSManagedObjectContext+Enumerating.swift func forEachSavedValues
    var titles: [String] = []
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    try context.forEachSavedValues(of: request, attributes: ["title", "rating"]) { note in
      if let title = note.values[0] as? String { titles.append(title) }
    }
    // end
    #expect(titles.sorted() == ["Order compost", "Prune the apple tree", "Sow the peas"])
  }

  @Test("saved values are read by their types")
  func typedSavedValues() throws {
    // example: SavedValues.swift struct SavedValues
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    var total = 0.0
    try context.forEachSavedValues(of: request, attributes: ["rating"]) { note in
      total += Double(note.int64(at: 0) ?? 0)
    }
    // end
    #expect(total == 9)
  }

  @Test("an asynchronous fetch hands its result to its block")
  func asynchronousFetch() async throws {
    let titles: [String] = await withCheckedContinuation { done in
      @Sendable func show(_ notes: [Note]) { done.resume(returning: notes.map(\.title)) }
      context.performAndWait {
        do {
          // example: NSAsynchronousFetchRequest.swift class NSAsynchronousFetchRequest
          let request = NSFetchRequest<Note>(entityName: "Note")
          let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
            show(result.finalResult ?? [])
          }
          try context.execute(fetch)
          // end
        } catch {
          show([])
        }
      }
    }
    #expect(titles.count == 3)
  }
}
