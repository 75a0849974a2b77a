import CoreData
import Foundation
import Testing

@Suite("Requests for history")
struct HistoryRequestTests {
  /// Three saves of two notes, one update and one deletion, with the tokens before and after each save.
  private func threeSaves(_ context: NSManagedObjectContext) throws -> (
    notes: [Note], tokens: [NSPersistentHistoryToken]
  ) {
    var tokens = [try #require(context.historyToken)]
    let notes = [context.note("one"), context.note("two")]
    try context.save()
    tokens.append(try #require(context.historyToken))
    notes[0].title = "changed"
    context.transactionAuthor = "other"
    try context.save()
    tokens.append(try #require(context.historyToken))
    context.delete(notes[1])
    try context.save()
    tokens.append(try #require(context.historyToken))
    return (notes, tokens)
  }

  @Test("requests fetch history after a token, transaction or date", arguments: StoreKind.sharedByPrograms)
  func positions(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (_, tokens) = try threeSaves(context)
    #expect(try context.transactions(.fetchHistory(after: tokens[0])).count == 3)
    #expect(try context.transactions(.fetchHistory(after: tokens[1])).map(\.token) == [tokens[2], tokens[3]])
    #expect(try context.transactions(.fetchHistory(after: tokens[3])).isEmpty)
    #expect(try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).count == 3)
    let all = try context.transactions()
    #expect(try context.transactions(.fetchHistory(after: all[1])).map(\.token) == [tokens[3]])
    #expect(try context.transactions(.fetchHistory(after: all[0].timestamp)).count == 2)
    #expect(try context.transactions(.fetchHistory(after: .distantFuture)).isEmpty)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[1]).token == tokens[1])
  }

  @Test("history requests support every result type", arguments: StoreKind.sharedByPrograms)
  func resultTypes(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (notes, tokens) = try threeSaves(context)
    func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[0])
      request.resultType = type
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      #expect(result.resultType == type)
      return result.result
    }
    #expect(try result(.statusOnly) as? Bool == true)
    #expect(try result(.count) as? Int == 4)
    let objectIDs = try #require(try result(.objectIDs) as? [NSManagedObjectID])
    #expect(objectIDs.count == 2)
    #expect(objectIDs.contains(notes[0].objectID))
    let bare = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
    #expect(bare.count == 3)
    #expect(bare.allSatisfy { $0.changes == nil })
    let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
    #expect(changes.map(\.changeType) == [.insert, .insert, .update, .delete])
    #expect(changes.map { $0.transaction?.transactionNumber } == [1, 1, 2, 3])
    let full = try #require(try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
    #expect(full.map { $0.changes?.count } == [2, 1, 1])
    #expect(full[0].changes?[0].transaction === full[0])
  }

  @Test(
    "requests delete history before a token, transaction or date, and return what was deleted",
    arguments: StoreKind.sharedByPrograms
  )
  func deletion(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (_, tokens) = try threeSaves(context)
    func delete(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
      request.resultType = .count
      return (try context.execute(request) as? NSPersistentHistoryResult)?.result
    }
    let all = try context.transactions()
    #expect(try delete(.deleteHistory(before: all[0])) as? Int == 0)
    #expect(try delete(.deleteHistory(before: tokens[2])) as? Int == 2)
    #expect(try context.transactions().map(\.transactionNumber) == [2, 3])
    #expect(try delete(.deleteHistory(before: nil as NSPersistentHistoryToken?)) as? Int == 0)
    #expect(try delete(.deleteHistory(before: .distantFuture)) as? Int == 2)
    #expect(try context.transactions().isEmpty)
    #expect(context.historyToken == tokens[3])
    context.note("three")
    try context.save()
    #expect(try context.transactions(.fetchHistory(after: tokens[3])).map(\.transactionNumber) == [4])
    if kind.isSQLite { #expect(try store.folder.query("SELECT COUNT(*) FROM ACHANGE") == [1]) }
  }

  @Test("a token whose history was deleted is an error", arguments: StoreKind.sharedByPrograms)
  func expired(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (_, tokens) = try threeSaves(context)
    try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: tokens[3]))
    #expect(try context.transactions(.fetchHistory(after: tokens[2])).count == 1)
    for token in [tokens[0], tokens[1]] {
      let error = #expect(throws: NSError.self) { try context.transactions(.fetchHistory(after: token)) }
      #expect(error?.code == NSPersistentHistoryTokenExpiredError)
    }
    let elsewhere = try TrackedStore(kind)
    let foreign = try elsewhere.context()
    foreign.note("elsewhere")
    try foreign.save()
    let token = try #require(foreign.historyToken)
    let error = #expect(throws: NSError.self) { try context.transactions(.fetchHistory(after: token)) }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
  }

  @Test("history requests accept predicates on transactions", arguments: StoreKind.sharedByPrograms)
  func transactionPredicates(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (_, tokens) = try threeSaves(context)
    func find(_ format: String, _ arguments: Any?...) throws -> [Int64] {
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.predicate = try NSPredicate(parsing: format, arguments: arguments)
      return try context.transactions(.fetchHistory(withFetch: fetch)).map(\.transactionNumber)
    }
    #expect(try find("author = %@", "other") == [2, 3])
    #expect(try find("author != %@ AND contextName = 'context'", "other") == [1])
    #expect(try find("token > %@", tokens[1]) == [2, 3])
    #expect(try find("token = %@", tokens[2]) == [2])
    #expect(
      try find("transactionNumber <= 2 AND processID = %@", ProcessInfo.processInfo.processName) == [1, 2]
    )
    #expect(try find("timestamp < %@", Date()) == [1, 2, 3])
    #expect(try find("ANY changes.changeType = %d", NSPersistentHistoryChangeType.delete.rawValue) == [3])
    let error = #expect(throws: NSError.self) { try find("token > %@", tokens[0]) }
    #expect(error?.code == NSPersistentHistoryTokenExpiredError)
    #expect(throws: (any Error).self) { try find("nothing = 1") }
  }

  @Test("history requests can filter, sort and limit changes", arguments: StoreKind.sharedByPrograms)
  func changePredicates(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (notes, tokens) = try threeSaves(context)
    _ = Tag(context: context)
    try context.save()
    let description = try #require(NSPersistentHistoryChange.entityDescription(with: context))
    func request(_ format: String, _ arguments: Any?...) throws -> NSFetchRequest<any NSFetchRequestResult> {
      let fetch = NSFetchRequest<any NSFetchRequestResult>()
      fetch.entity = description
      fetch.predicate = try NSPredicate(parsing: format, arguments: arguments)
      return fetch
    }
    let updates = try request("changeType = %d", NSPersistentHistoryChangeType.update.rawValue)
    let transactions = try context.transactions(.fetchHistory(withFetch: updates))
    #expect(transactions.map(\.token) == [tokens[2]])
    #expect(transactions.first?.changes?.map(\.changedObjectID) == [notes[0].objectID])
    let tags = try request("changedEntity = %@", store.model.entitiesByName["Tag"])
    #expect(try context.changes(.fetchHistory(withFetch: tags)).map(\.changedObjectID.entity.name) == ["Tag"])
    let latest = try request("changedObjectID = %@", notes[0].objectID)
    latest.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
    latest.fetchLimit = 1
    #expect(try context.changes(.fetchHistory(withFetch: latest)).map(\.changeType) == [.update])
    let later = NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[1])
    later.fetchRequest = try request("changedObjectID = %@", notes[0].objectID)
    #expect(try context.changes(later).map(\.changeType) == [.update])
    let authors = try request("transaction.author = 'other' AND changeType = 0")
    #expect(
      try context.changes(.fetchHistory(withFetch: authors)).map(\.changedObjectID.entity.name) == ["Tag"]
    )
    #expect(
      try #require(description.attributesByName["changedObjectID"]).attributeType == .objectIDAttributeType
    )
  }

  @Test("history requests for another entity are refused", arguments: StoreKind.sharedByPrograms)
  func otherEntity(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    let error = #expect(throws: NSError.self) { try context.transactions(.fetchHistory(withFetch: fetch)) }
    #expect(error?.localizedDescription.contains("Note") == true)
  }

  @Test("history requests cover several stores, named in the tokens", arguments: StoreKind.sharedByPrograms)
  func severalStores(_ kind: StoreKind) throws {
    let (one, two) = (try TrackedStore(kind), try TrackedStore(.sqlite))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: one.model)
    let stores = try [one, two].map {
      try coordinator.addPersistentStore(
        ofType: $0.kind.storeType,
        configurationName: nil,
        at: $0.place,
        options: TrackedStore.options
      )
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.note("one")
    try context.save()
    let other = try two.context()
    other.note("two")
    try other.save()
    let transactions = try context.transactions()
    #expect(transactions.map(\.storeID) == stores.map { $0.identifier ?? "" })
    let token = try #require(context.historyToken)
    #expect(try context.transactions(.fetchHistory(after: token)).isEmpty)
    #expect(coordinator.currentPersistentHistoryToken(fromStores: [stores[1]]) == other.historyToken)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
    request.affectedStores = [stores[1]]
    #expect(try context.transactions(request).map(\.storeID) == [stores[1].identifier])
    for store in stores { try coordinator.remove(store) }
  }

  @Test("history merges into a context of another coordinator", arguments: StoreKind.sharedByPrograms)
  func merging(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let (notes, tokens) = try threeSaves(context)
    let other = try store.context("reader")
    let theirs = try #require(try other.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
    #expect(theirs.title == "changed")
    notes[0].title = "again"
    let third = context.note("three")
    try context.save()
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: other)
    let new = try other.transactions(.fetchHistory(after: tokens[3]))
    for transaction in new { other.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
    #expect(theirs.title == "again")
    let inserted: Set<NSManagedObject> = try #require(changed.last).objects(NSInsertedObjectsKey)
    #expect(inserted.map { $0.objectID.uriRepresentation() } == [third.objectID.uriRepresentation()])
    context.delete(third)
    try context.save()
    let deletion = try #require(try other.transactions().last)
    other.mergeChanges(fromContextDidSave: deletion.objectIDNotification())
    #expect(inserted.allSatisfy { $0.isDeleted })
    try other.save()
  }
}
