import CoreData
import Foundation
import Testing

@Suite("A batch deletion")
struct BatchDeletionRequestTests {
  @Test("takes a fetch request whatever the class of its results", arguments: StoreKind.takingBatches)
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

  @Test("takes object IDs, also none", arguments: StoreKind.takingBatches)
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

  @Test("asks the affected stores alone")
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

  @Test("is refused by a coordinator that is not the context's")
  func otherCoordinator() throws {
    let (one, other) = (try Stack(.inMemory), try Stack(.inMemory))
    let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Tag>(entityName: "Tag"))
    #expect(throws: (any Error).self) { try one.coordinator.execute(request, with: other.context) }
  }
}
