import CoreData
import Foundation
import Testing

@Suite(
  "Histories that Apple's framework wrote",
  .enabled(if: SharedFiles.available, "\(SharedFiles.reason)")
)
struct AppleHistoryTests {
  private static let stores = ["SampleModel2_V1", "SampleModel2_V2"]

  /// A copy of the store, opened with its own model.
  private func open(_ name: String, in folder: TemporaryFolder) throws -> NSManagedObjectContext {
    let file = folder.file("\(name).sqlite")
    let original = "fixtures/coredataplus/Tests/Resources/SampleModel2/Fixtures/\(name).sqlite"
    try FileManager.default.copyItem(at: SharedFiles.url(original), to: file)
    let model = try NSManagedObjectModel(cachedIn: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: TrackedStore.options)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = "perennial"
    return context
  }

  @Test("are read, every transaction and every change", arguments: stores)
  func reading(_ name: String) throws {
    let folder = try TemporaryFolder()
    let context = try open(name, in: folder)
    let transactions = try context.transactions()
    #expect(transactions.count == 1)
    let transaction = try #require(transactions.first)
    #expect(transaction.bundleID == "com.apple.dt.xctest.tool")
    #expect(transaction.processID == "xctest")
    #expect(transaction.author == nil)
    #expect(transaction.contextName == nil)
    #expect(Int(transaction.timestamp.timeIntervalSinceReferenceDate / 100) == 7_370_576)
    let changes = try #require(transaction.changes)
    let file = folder.file("\(name).sqlite")
    #expect(try folder.query("SELECT COUNT(*) FROM ACHANGE", at: file) == [changes.count])
    #expect(changes.allSatisfy { $0.changeType == .insert })
    let counts = Dictionary(grouping: changes) { $0.changedObjectID.entity.name ?? "" }.mapValues(\.count)
    let expected =
      name == "SampleModel2_V1"
      ? ["Book": 51, "GraphicNovel": 1, "Feedback": 444, "Page": 4970, "Author": 2]
      : ["Book": 2, "GraphicNovel": 1, "Feedback": 3, "Page": 119, "Author": 1]
    #expect(counts == expected)
    let object = try context.existingObject(with: try #require(changes.last).changedObjectID)
    #expect(!object.isDeleted)
  }

  @Test("go on where they ended", arguments: stores)
  func appending(_ name: String) throws {
    let folder = try TemporaryFolder()
    let context = try open(name, in: folder)
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
    let file = folder.file("\(name).sqlite")
    #expect(
      try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT", at: file)
        == [Int(before) + 1, 2, 4]
    )
    #expect(try folder.query("PRAGMA integrity_check", at: file) == ["ok"])
  }
}
