import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@Suite("Fetches in a span of keys")
struct KeySpanTests {
  private static func makeStore(_ type: String) throws -> (NSManagedObjectContext, TestFolder) {
    let note = makeEntity("Note", makeAttribute("rating", .integer32AttributeType))
    let tag = makeEntity("Tag", makeAttribute("name"))
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel([note, tag]))
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("Notes.store")
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let tags = (0..<5).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context) }
      for number in 0..<9 {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(number % 3, forKey: "rating")
        if number == 0 { note.setValue(Set(tags), forKey: "tags") }
      }
      try context.save()
      context.reset()
    }
    return (context, folder)
  }

  private static func request() -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    return request
  }

  @Test(
    "fetches in a key span order equal objects by ascending or descending keys",
    arguments: [NSSQLiteStoreType, "XML"]
  )
  func order(type: String) throws {
    let (context, folder) = try Self.makeStore(type)
    for isAscending in [true, false] {
      let found = try context.performAndWait {
        try context.fetch(Self.request(), in: KeySpan(isAscending: isAscending)).map { object in
          (object.value(forKey: "rating") as? Int ?? -1, object.objectID.key)
        }
      }
      #expect(found.map(\.0) == [0, 0, 0, 1, 1, 1, 2, 2, 2])
      for start in [0, 3, 6] {
        let keys = found[start..<start + 3].map(\.1)
        #expect(keys == (isAscending ? keys.sorted() : keys.sorted(by: >)))
      }
    }
    withExtendedLifetime(folder) {}
  }

  @Test("fetches in a key span exclude the keys at both ends", arguments: [NSSQLiteStoreType, "XML"])
  func bounds(type: String) throws {
    let (context, folder) = try Self.makeStore(type)
    let keys = try context.performAndWait {
      let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"), in: KeySpan())
        .map(\.objectID.key)
      let span = KeySpan(lower: all[2], upper: all[6], isAscending: false)
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"), in: span)
      #expect(found.map(\.objectID.key) == all[3..<6].reversed())
      return all
    }
    #expect(keys == keys.sorted() && keys.count == 9)
    withExtendedLifetime(folder) {}
  }

  @Test("an alternative condition includes objects beyond a key span", arguments: [NSSQLiteStoreType, "XML"])
  func beyond(type: String) throws {
    let (context, folder) = try Self.makeStore(type)
    try context.performAndWait {
      let all = try context.fetch(Self.request(), in: KeySpan()).map(\.objectID.key)
      // The ratings are 0, 0, 0, 1, 1, 1, 2, 2, 2.
      let request = Self.request()
      request.predicate = NSPredicate(format: "rating >= 1")
      let beyond = NSPredicate(format: "rating > 1")
      let found = try context.fetch(request, in: KeySpan(lower: all[4]), or: beyond)
      #expect(found.map(\.objectID.key) == all[5...].map { $0 })
      // A span without bounds contains all keys.
      #expect(try context.fetch(request, in: KeySpan(), or: beyond).count == 6)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("a key span is a condition on the key and the last sort term")
  func sql() throws {
    let (context, folder) = try Self.makeStore(NSSQLiteStoreType)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let span = KeySpan(lower: 3, isAscending: false)
    let explanation = try #require(try coordinator.explanation(of: Self.request(), in: span))
    #expect(explanation.sql.hasSuffix("FROM ZNOTE t0 WHERE t0.Z_PK > ? ORDER BY t0.ZRATING, t0.Z_PK DESC"))
    withExtendedLifetime(folder) {}
  }

  @Test("The first destinations of a relationship are as many as were asked for, and of the relationship")
  func destinations() throws {
    let (context, folder) = try Self.makeStore(NSSQLiteStoreType)
    let coordinator = try #require(context.persistentStoreCoordinator)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "tags.@count > 0")
      let note = try #require(try context.fetch(request).first)
      let all = Set(note.objectIDs(forRelationshipNamed: "tags"))
      for limit in [1, 3, 5, 100] {
        let found = try coordinator.destinationIDs(of: "tags", from: note.objectID, atMost: limit)
        let ids = try #require(found)
        #expect(ids.count == min(limit, 5) && Set(ids).count == ids.count && Set(ids).isSubset(of: all))
      }
      #expect(try coordinator.destinationIDs(of: "rating", from: note.objectID, atMost: 1) == nil)
    }
    withExtendedLifetime(folder) {}
  }
}
