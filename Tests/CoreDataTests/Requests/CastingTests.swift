import CoreData
import Foundation
import Testing

@Suite("Casts of fetch requests")
struct CastingTests {
  @Test(
    "a request for objects becomes one for any results, and finds the same",
    arguments: StoreKind.allCases
  )
  func anyResults(kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("A", rating: 1)
    stack.note("B", rating: 2)
    try stack.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "rating > 1")
    request.sortDescriptors = [.byTitle]
    request.fetchLimit = 5
    let cast = try #require(
      request.castingResults(to: NSFetchRequestResult.self) as? NSFetchRequest<any NSFetchRequestResult>
    )
    #expect(cast.fetchLimit == 5)
    let found = try stack.context.fetch(cast)
    #expect(found.compactMap { ($0 as? Note)?.title } == ["B"])
    let back = try #require(cast.castingResults(to: Note.self) as? NSFetchRequest<Note>)
    #expect(try stack.context.fetch(back).map(\.title) == ["B"])
  }

  @Test(
    "settings of a request and of its cast change together, also in a subclass that overrides one"
  )
  func shared() throws {
    final class Request: NSFetchRequest<any NSFetchRequestResult> {
      var limits: [Int] = []
      override var fetchLimit: Int {
        get { super.fetchLimit }
        set {
          limits.append(newValue)
          super.fetchLimit = newValue
        }
      }
    }
    let request = Request(entityName: "Note")
    let cast = try #require(request.castingResults(to: Note.self) as? NSFetchRequest<Note>)
    cast.predicate = NSPredicate(format: "rating > 1")
    cast.sortDescriptors = [.byTitle]
    cast.fetchLimit = 5
    cast.includesSubentities = false
    #expect(request.predicate === cast.predicate && request.predicate != nil)
    #expect(request.sortDescriptors == [.byTitle])
    #expect(request.limits == [5])
    #expect(!request.includesSubentities)
    request.propertiesToFetch = ["title"]
    #expect(cast.propertiesToFetch as? [String] == ["title"])
    #expect(cast.entityName == "Note")
    #expect(cast.castingResults(to: NSFetchRequestResult.self) === request)
    let ids = try #require(
      cast.castingResults(to: NSManagedObjectID.self) as? NSFetchRequest<NSManagedObjectID>
    )
    ids.resultType = .managedObjectIDResultType
    #expect(request.resultType == .managedObjectIDResultType)
    let copy = try #require(cast.copy() as? NSFetchRequest<Note>)
    copy.fetchLimit = 7
    #expect(request.fetchLimit == 5)
  }

  @Test("a request with the right result type, and one that fetches nothing, are not cast")
  func same() {
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(request.castingResults(to: Note.self) === request)
    let deletion = NSBatchDeleteRequest(objectIDs: [])
    #expect(deletion.castingResults(to: Note.self) === deletion)
  }
}
