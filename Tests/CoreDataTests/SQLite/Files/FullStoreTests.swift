import CoreData
import Foundation
import Testing

@Suite("A context whose store cannot be written")
struct FullStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func context(_ options: [AnyHashable: Any]) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func tags(_ range: Range<Int>, in context: NSManagedObjectContext) -> [Tag] {
    range.map { number in
      let tag = Tag(context: context)
      tag.name = String(repeating: "x", count: 4000) + "\(number)"
      return tag
    }
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  @Test(
    "a context keeps its changes when the disk is full, and saves them when there is space",
    arguments: [false, true]
  )
  func full(_ tracksHistory: Bool) throws {
    let pages = 100
    let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: tracksHistory]
    let context = try context(
      tracking.merging([NSSQLitePragmasOption: ["max_page_count": "\(pages)"]]) { $1 }
    )
    let ballast = tags(0..<20, in: context)
    try context.save()
    let new = tags(20..<120, in: context)
    ballast[0].name = "changed"
    context.delete(ballast[1])
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.fileWriteOutOfSpace.rawValue)
    #expect(error?.localizedDescription.contains(folder.file().path) == true)
    #expect(context.insertedObjects == Set(new))
    #expect(context.updatedObjects == [ballast[0]])
    #expect(context.deletedObjects == [ballast[1]])
    #expect(new.allSatisfy { $0.objectID.isTemporaryID })
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [20])
    // The deletions free disk space, in which the failed changes now fit.
    for tag in new.dropFirst(10) { context.delete(tag) }
    try context.save()
    #expect(!context.hasChanges)
    try close(context)
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [29])
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG WHERE ZNAME = 'changed'") == [1])
    #expect(try folder.query("PRAGMA integrity_check") == ["ok"])
    if tracksHistory { #expect(try folder.query("SELECT COUNT(*) FROM ATRANSACTION") == [2]) }
  }

  @Test("a context keeps its changes when the store is read-only")
  func readOnly() throws {
    try close(try context([:]))
    let context = try context([NSReadOnlyPersistentStoreOption: true])
    let new = tags(0..<3, in: context)
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.localizedDescription.contains("read-only") == true, "\(String(describing: error))")
    #expect(context.insertedObjects == Set(new))
    try close(context)
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [0])
  }
}
