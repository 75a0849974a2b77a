import CoreData
import Foundation
import TestSupport
import Testing

@Suite(
  "Histories that Apple's framework wrote",
  .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
)
struct AppleHistoryTests {
  private static let stores = AppleStore.books + AppleStore.books.map(\.madeHere)

  /// A copy of the store, opened with its own model.
  private func open(_ apple: AppleStore, in folder: TemporaryFolder) throws -> NSManagedObjectContext {
    let file = try apple.copy(to: folder.url)
    let model = try NSManagedObjectModel(cachedIn: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: TrackedStore.options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = "perennial"
    return context
  }

  @Test("every transaction and change of an Apple-made history is read", arguments: stores)
  func reading(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let context = try open(apple, in: folder)
    let transactions = try context.transactions()
    #expect(transactions.count == 1)
    let transaction = try #require(transactions.first)
    #expect(transaction.author == nil)
    #expect(transaction.contextName == nil)
    if !apple.isMadeHere {
      #expect(transaction.bundleID == "com.apple.dt.xctest.tool")
      #expect(transaction.processID == "xctest")
      #expect(Int(transaction.timestamp.timeIntervalSinceReferenceDate / 100) == 7_370_576)
    }
    let changes = try #require(transaction.changes)
    let file = try #require(context.persistentStoreCoordinator?.persistentStores.first?.url)
    #expect(try folder.query("SELECT COUNT(*) FROM ACHANGE", at: file) == [changes.count])
    #expect(changes.allSatisfy { $0.changeType == .insert })
    let counts = Dictionary(grouping: changes) { $0.changedObjectID.entity.name ?? "" }.mapValues(\.count)
    let expected =
      apple.store == AppleStore.books[0].store
      ? ["Book": 51, "GraphicNovel": 1, "Feedback": 444, "Page": 4970, "Author": 2]
      : ["Book": 2, "GraphicNovel": 1, "Feedback": 3, "Page": 119, "Author": 1]
    #expect(counts == expected)
    let object = try context.existingObject(with: try #require(changes.last).changedObjectID)
    #expect(!object.isDeleted)
  }

  @Test("new saves continue an Apple-made history", arguments: stores)
  func appending(_ apple: AppleStore) throws {
    let folder = try TemporaryFolder()
    let context = try open(apple, in: folder)
    let token = try #require(context.historyToken)
    let before = try #require(try context.changes().map(\.changeID).max())
    let request = NSFetchRequest<NSManagedObject>(entityName: "Feedback")
    request.fetchLimit = 1
    let feedback = try #require(try context.fetch(request).first)
    feedback.setValue("changed", forKey: "comment")
    try context.save()
    let transaction = try #require(try context.transactions(.fetchHistory(after: token)).first)
    #expect(transaction.transactionNumber == 2)
    #expect(transaction.author == "perennial")
    #expect(transaction.changes?.map(\.changeID) == [before + 1])
    #expect(transaction.changes?.first?.updatedProperties?.map(\.name) == ["comment"])
    let file = try #require(context.persistentStoreCoordinator?.persistentStores.first?.url)
    // The texts are the author and, unless this process made the store, the names that identify this process.
    let texts = apple.isMadeHere ? 2 : 4
    #expect(
      try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT", at: file)
        == [Int(before) + 1, 2, texts]
    )
    #expect(try folder.query("PRAGMA integrity_check", at: file) == ["ok"])
  }
}
