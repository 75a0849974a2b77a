import CoreData
import Foundation

/// The store that a process saves to until it is killed.
struct CrashStore {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  let file: URL
  let context: NSManagedObjectContext
  private let keepsHistory: Bool
  private let type: String
  private static let keptBatches: Int64 = 12
  private static let itemsInBatch: Int64 = 20

  /// The store type for a location: SQLite for a file, PostgreSQL for the URL of a database.
  static func type(of place: URL) -> String { place.isFileURL ? NSSQLiteStoreType : "PostgreSQL" }

  init(_ file: URL, options: [AnyHashable: Any] = [:], type: String? = nil) throws {
    let type = type ?? Self.type(of: file)
    (self.file, self.type) = (file, type)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CrashModel.make())
    try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: file,
      options: options
    )
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    keepsHistory = options[NSPersistentHistoryTrackingKey] as? Bool ?? false
  }

  func close() throws {
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
      try context.persistentStoreCoordinator?.remove(store)
    }
  }

  /// Saves the next batch: inserts it with its items, deletes the oldest one, and changes some items.
  ///
  /// - Returns: the number of the batch, which is durable when this returns.
  func saveNextBatch() throws -> Int64 {
    let number = try changeForNextBatch()
    try context.save()
    return number
  }

  /// Makes the changes of the next batch without saving them.
  func changeForNextBatch() throws -> Int64 {
    let ledger = try fetch("Ledger").first ?? insert("Ledger")
    let number = (ledger.value(forKey: "lastBatch") as? Int64 ?? 0) + 1
    let tags = try fetch("Tag").isEmpty ? ["a", "b", "c"].map(tag) : fetch("Tag")
    let batch = insert("Batch")
    batch.setValue(number, forKey: "number")
    // Every fourth batch has data that is stored in an external file.
    batch.setValue(
      Data(repeating: UInt8(number & 0xFF), count: number % 4 == 0 ? 150_000 : 100),
      forKey: "data"
    )
    for index in 0..<Self.itemsInBatch {
      let item = insert("Item")
      item.setValue(number * 1000 + index, forKey: "value")
      item.setValue("item \(index) of batch \(number)", forKey: "text")
      item.setValue(batch, forKey: "batch")
      item.setValue(Set(tags.shuffled().prefix(2)), forKey: "tags")
    }
    for batch in try fetch("Batch", "number <= %@", number - Self.keptBatches) { context.delete(batch) }
    for item in try fetch("Item", "batch.number == %@", number - 3) {
      item.setValue((item.value(forKey: "value") as? Int64 ?? 0) + 7, forKey: "value")
    }
    context.processPendingChanges()
    let items = try fetch("Item")
    ledger.setValue(number, forKey: "lastBatch")
    ledger.setValue(Int64(items.count), forKey: "itemCount")
    ledger.setValue(items.reduce(Int64(0)) { $0 + ($1.value(forKey: "value") as? Int64 ?? 0) }, forKey: "sum")
    return number
  }

  /// Checks that the store contains every acknowledged save, and each save as a whole.
  ///
  /// - Returns: the number of the last batch that is in the store.
  @discardableResult
  func verify(acknowledged: Int64) throws -> Int64 {
    let last = try lastBatch()
    guard last == acknowledged || last == acknowledged + 1 else {
      throw Wrong(description: "the store ends with batch \(last), \(acknowledged) was acknowledged")
    }
    return last
  }

  /// Checks that the store is intact and contains each save as a whole.
  ///
  /// - Returns: the number of the last batch that is in the store; 0 if nothing was saved.
  func lastBatch() throws -> Int64 {
    if type == NSSQLiteStoreType {
      let check = try SQLiteStoreCheck(store: file, model: nil)
      // An external data file is written before the transaction that refers to it. A leftover file does no harm.
      let findings = try check.findings().filter { $0.kind != .externalData || !$0.isRepairable }
      if let finding = findings.first {
        throw Wrong(description: "\(finding.kind.rawValue): \(finding.problem)")
      }
    }
    guard let ledger = try fetch("Ledger").first else {
      if try fetch("Item").isEmpty, try fetch("Batch").isEmpty, try transactionCount() == 0 { return 0 }
      throw Wrong(description: "the ledger is gone, and other objects are there")
    }
    let last = ledger.value(forKey: "lastBatch") as? Int64 ?? 0
    try verifyBatches(upTo: last)
    try verifyHistory(upTo: last)
    let items = try fetch("Item")
    let sum = items.reduce(Int64(0)) { $0 + ($1.value(forKey: "value") as? Int64 ?? 0) }
    guard ledger.value(forKey: "itemCount") as? Int64 == Int64(items.count),
      ledger.value(forKey: "sum") as? Int64 == sum
    else { throw Wrong(description: "the ledger of batch \(last) does not tell of the items that are there") }
    guard items.allSatisfy({ ($0.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 2 }) else {
      throw Wrong(description: "an item has lost a tag")
    }
    return last
  }

  private func verifyBatches(upTo last: Int64) throws {
    let batches = try fetch("Batch")
    let numbers = batches.compactMap { $0.value(forKey: "number") as? Int64 }.sorted()
    guard numbers == Array(max(1, last - Self.keptBatches + 1)...last) else {
      throw Wrong(description: "batch \(last) is the last, and there are \(numbers)")
    }
    for batch in batches {
      let number = batch.value(forKey: "number") as? Int64 ?? 0
      let data = batch.value(forKey: "data") as? Data ?? Data()
      guard (batch.value(forKey: "items") as? Set<NSManagedObject>)?.count == Int(Self.itemsInBatch),
        data.count == (number % 4 == 0 ? 150_000 : 100), data.allSatisfy({ $0 == UInt8(number & 0xFF) })
      else { throw Wrong(description: "batch \(number) is not whole") }
    }
  }

  /// Checks that the history has one transaction for each save, and that the last one inserted the last batch.
  private func verifyHistory(upTo last: Int64) throws {
    guard keepsHistory else { return }
    let count = try transactionCount()
    guard count == last else {
      throw Wrong(description: "the history has \(count) transactions of \(last) saves")
    }
    let transactions = try history(after: nil, .transactionsOnly) as? [NSPersistentHistoryTransaction] ?? []
    let changes = try history(after: transactions.dropLast().last, .changesOnly)
    let inserted = (changes as? [NSPersistentHistoryChange] ?? []).filter { $0.changeType == .insert }
    let names = inserted.map { $0.changedObjectID.entity.name ?? "" }
    guard names.count(where: { $0 == "Batch" }) == 1,
      names.count(where: { $0 == "Item" }) == Int(Self.itemsInBatch),
      let batch = inserted.first(where: { $0.changedObjectID.entity.name == "Batch" })?.changedObjectID,
      try context.existingObject(with: batch).value(forKey: "number") as? Int64 == last
    else { throw Wrong(description: "the last transaction of the history does not tell of batch \(last)") }
  }

  func transactionCount() throws -> Int {
    guard keepsHistory else { return 0 }
    return (try history(after: nil, .transactionsOnly) as? [NSPersistentHistoryTransaction] ?? []).count
  }

  private func history(
    after transaction: NSPersistentHistoryTransaction?,
    _ type: NSPersistentHistoryResultType
  ) throws -> Any? {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: transaction)
    request.resultType = type
    return (try context.execute(request) as? NSPersistentHistoryResult)?.result
  }

  private func tag(_ name: String) -> NSManagedObject {
    let tag = insert("Tag")
    tag.setValue(name, forKey: "name")
    return tag
  }

  private func insert(_ entity: String) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  private func fetch(_ entity: String, _ format: String? = nil, _ argument: Int64 = 0) throws
    -> [NSManagedObject]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0, NSNumber(value: argument)) }
    return try context.fetch(request)
  }
}
