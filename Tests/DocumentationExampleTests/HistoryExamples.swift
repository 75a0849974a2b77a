import CoreData
import Foundation
import Testing

@Suite("Examples of persistent history")
struct HistoryExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook(NSSQLiteStoreType) }

  private func transactions() throws -> [NSPersistentHistoryTransaction] {
    let result = try context.execute(NSPersistentHistoryChangeRequest()) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  @Test("a context merges the changes of the history")
  func request() throws {
    // example: NSPersistentHistoryChangeRequest.swift class NSPersistentHistoryChangeRequest
    let yesterday = Date(timeIntervalSinceNow: -86_400)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: yesterday)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
      print(transaction.timestamp, transaction.author ?? "somebody")
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    }
    // end
    #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
  }

  @Test("the history after a token is fetched")
  func afterToken() throws {
    // example: NSPersistentHistoryChangeRequest.swift func fetchHistory(after token
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    note.isPinned = false
    try context.save()

    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    print(transactions.count)  // 1
    // end
    #expect(transactions.count == 1)
  }

  @Test("the history after a transaction is fetched")
  func afterTransaction() throws {
    let last = try transactions().last
    // example: NSPersistentHistoryChangeRequest.swift func fetchHistory(after transaction
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last)
    request.resultType = .count
    let result = try context.execute(request) as? NSPersistentHistoryResult
    print(result?.result as? Int ?? 0)  // 0
    // end
    #expect(result?.result as? Int == 0)
  }

  @Test("the history of one author is fetched")
  func fetchRequest() throws {
    note.rating = 4
    context.transactionAuthor = "import"
    try context.save()
    // example: NSPersistentHistoryChangeRequest.swift var fetchRequest
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    request.fetchRequest?.predicate = NSPredicate(format: "author == %@", "import")
    let result = try context.execute(request) as? NSPersistentHistoryResult
    // end
    #expect((result?.result as? [NSPersistentHistoryTransaction])?.map(\.author) == ["import"])
  }

  @Test("IDs alone are fetched")
  func resultType() throws {
    // example: NSPersistentHistoryChangeRequest.swift var resultType
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    request.resultType = .objectIDs
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let changed = result?.result as? [NSManagedObjectID] ?? []
    // end
    #expect(changed.contains(note.objectID))
  }

  @Test("old history is deleted")
  func deleteBeforeDate() throws {
    // example: NSPersistentHistoryChangeRequest.swift func deleteHistory(before date
    let aWeekAgo = Date(timeIntervalSinceNow: -604_800)
    try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: aWeekAgo))
    // end
    #expect(try transactions().count == 1)
  }

  @Test("history that was merged is deleted")
  func deleteBeforeToken() throws {
    note.rating = 4
    try context.save()
    // example: NSPersistentHistoryChangeRequest.swift func deleteHistory(before token
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
    // end
    #expect(try transactions().count == 1)
  }

  @Test("a token is kept in a file")
  func token() throws {
    let file = folder.appendingPathComponent("token")
    // example: NSPersistentHistoryToken.swift class NSPersistentHistoryToken
    if let token = coordinator.currentPersistentHistoryToken(fromStores: nil) {
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      try data.write(to: file)
    }
    let data = try Data(contentsOf: file)
    let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    // end
    #expect(token == coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  @Test("a transaction has its author and its changes")
  func transaction() throws {
    note.rating = 4
    // example: NSManagedObjectContext.swift var transactionAuthor
    context.transactionAuthor = "import"
    try context.save()
    // end
    #expect(try transactions().map(\.author) == [nil, "import"])
  }

  @Test("the changes of one transaction are read")
  func changes() throws {
    note.rating = 4
    try context.save()
    let transaction = try #require(try transactions().last)
    // example: NSPersistentHistoryChange.swift class NSPersistentHistoryChange:
    for change in transaction.changes ?? [] where change.changeType == .update {
      let names = change.updatedProperties?.map(\.name) ?? []
      print(change.changedObjectID, names)  // …, ["rating"]
    }
    // end
    #expect(transaction.changes?.first?.updatedProperties?.map(\.name) == ["rating"])
  }

  @Test("a transaction is merged as a save is")
  func objectIDNotification() throws {
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    #expect(!note.title.isEmpty)
    try other.performAndWait {
      (other.object(with: id) as? Note)?.title = "Prune the pear tree"
      try other.save()
    }
    let transaction = try #require(try transactions().last)
    // example: NSPersistentHistoryTransaction.swift func objectIDNotification
    if transaction.author != "import" {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    }
    // end
    #expect(note.title == "Prune the pear tree")
  }
}
