import Foundation
import Predicates
import Synchronization

/// A store that keeps its objects in memory, as long as it is open.
///
/// It evaluates the predicates that a SQL store translates, on its own rows.
// A lock guards the contents. The model is set when the store is opened, before other threads can reach it.
package final class InMemoryStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
  let contents = Mutex(InMemoryContents())
  /// A writer holds it, also between two attempts of a save. Readers do not wait for it.
  let writing = NSRecursiveLock()
  private(set) var model: NSManagedObjectModel?

  package override var type: String { NSInMemoryStoreType }

  package func open(model: NSManagedObjectModel) throws {
    self.model = model
    try loadMetadata()
  }

  package override func loadMetadata() throws {
    identifier = UUID().uuidString
    metadata = [
      NSStoreTypeKey: NSInMemoryStoreType, NSStoreUUIDKey: identifier ?? "",
      NSStoreModelVersionHashesKey: model?.entityVersionHashesByName ?? [:],
    ]
  }

  /// Has the contents and the metadata of another store of the same model, and an identity of its own.
  func begin(with other: InMemoryStore) throws {
    let own = metadata ?? [:]
    metadata = (other.metadata ?? [:]).merging(own) { _, own in own }
    metadataWereLoaded()
    let begun = try other.contents.withLock { $0 }.copy(of: other.index, for: index)
    contents.withLock { $0 = begun }
  }

  package func relocate(to url: URL) throws { self.url = url }

  package func close() throws { contents.withLock { $0 = InMemoryContents() } }

  /// There is nothing outside of the open store.
  package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {}

  /// Returns the type only: a file at the address does not belong to a store in memory.
  package override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    [NSStoreTypeKey: NSInMemoryStoreType]
  }

  package override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw noFile(url)
  }

  private static func noFile(_ url: URL) -> NSError {
    StoreFailure.operation(
      "\(url.absoluteString): a store in memory has metadata only while it is open; ask the open store for it."
    )
  }

  // MARK: - The channel

  package func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    let rows = try matches(query, reader: reader())
    return query.includesRows
      ? rows
      : rows.map { FetchedRow(key: $0.key, store: index, layout: $0.layout, row: nil) }
  }

  package func count(_ query: FetchQuery) throws -> Int { try matches(query, reader: reader()).count }

  package func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try reader().row(of: reference, layout: layout)
  }

  package func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try reader().destinations(of: relationship, from: reference, layout: layout)
  }

  package func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try reader().destinations(of: relationship, fromEach: references, layout: layout)
  }

  package func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    contents.withLock { contents in
      objects.map { object in
        ObjectReference(
          key: contents.nextKey(root: object.layout.rootNumber),
          entity: object.layout.number,
          store: index
        )
      }
    }
  }

  package func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    try checkWritable()
    return try writing.withLock {
      try contents.withLock { contents in
        let commit = InMemoryCommit(changes: changes, store: index)
        return try commit.apply(to: &contents, with: others)
      }
    }
  }

  package func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome {
    try writing.withLock { try work(self) }
  }

  func checkWritable() throws {
    guard isReadOnly else { return }
    throw StoreFailure.save("the store \(url?.absoluteString ?? "") was opened read-only.")
  }

  private func reader() -> InMemoryReader {
    InMemoryReader(contents: contents.withLock { $0 }, store: index)
  }

  /// The rows that a query finds, ordered and limited.
  func matches(_ query: FetchQuery, reader: InMemoryReader) throws -> [FetchedRow] {
    var records = reader.contents.rows(of: query.layouts).compactMap { key, row in
      StoreRecord(FetchedRow(key: key, store: index, layout: row.layout, row: row), reader: reader)
    }
    if let keys = query.keys.map(Set.init) { records = records.filter { keys.contains($0.fetched.key) } }
    if let span = query.span {
      let isBeyond = try query.beyond.map { try PredicateEvaluator($0) }
      records = try records.filter { try span.contains($0.fetched.key) || isBeyond?($0) == true }
        .sorted { span.isAscending == ($0.fetched.key < $1.fetched.key) }
    }
    if let predicate = query.predicate {
      let matches = try PredicateEvaluator(predicate)
      records = try records.filter { try matches($0) }
    }
    let rest = try Sorter(query.sortDescriptors).sorted(records).dropFirst(query.offset)
    return (query.limit == 0 ? rest : rest.prefix(query.limit)).map(\.fetched)
  }
}

/// A snapshot of the contents of a store in memory, for readers.
final class InMemoryReader: ObjectReader {
  let contents: InMemoryContents
  private let store: Int32

  init(contents: InMemoryContents, store: Int32) {
    self.contents = contents
    self.store = store
  }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    guard let row = contents.row(reference.key, root: layout.rootNumber) else { return nil }
    return FetchedRow(key: reference.key, store: store, layout: row.layout, row: row)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    contents.destinations(of: layout.toMany[relationship].relationship, from: reference.key)
  }
}
