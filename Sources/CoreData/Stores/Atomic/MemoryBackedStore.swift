import Foundation
import Synchronization

/// A store that has all its objects in memory and keeps them as a whole somewhere else.
///
/// It reads from a store in memory. A save changes a draft, writes the draft to the file, and then
/// publishes it to readers. If writing fails, the store is unchanged.
package protocol MemoryBackedStore: ObjectStore {
  var memory: InMemoryStore { get }
  /// Held while a draft is changed and kept, also from one try of a save to the next.
  var writing: NSRecursiveLock { get }

  /// The references that new objects get. Objects that are not among them get the next keys.
  func references(for changes: ChangeSet) throws -> [Int64: ObjectReference]

  /// Commits a draft.
  ///
  /// - Parameter changes: the differences to the last committed state; `nil` after a batch request.
  func commitDraft(_ draft: InMemoryContents, changes: ChangeSet?) throws
}

extension MemoryBackedStore {
  package func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try memory.fetch(query) }

  package func count(_ query: FetchQuery) throws -> Int { try memory.count(query) }

  package func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try memory.row(of: reference, layout: layout)
  }

  package func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try memory.destinations(of: relationship, from: reference, layout: layout)
  }

  package func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try memory.destinations(of: relationship, fromEach: references, layout: layout)
  }

  package func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try memory.permanentReferences(for: objects)
  }

  package func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    try memory.checkWritable()
    return try writing.withLock {
      var draft = memory.contents.withLock { $0 }
      let commit = InMemoryCommit(changes: changes, store: index, given: try references(for: changes))
      let outcome = try commit.apply(to: &draft, with: others)
      guard case .saved = outcome else { return outcome }
      try commitDraft(draft, changes: changes)
      publish(draft)
      return outcome
    }
  }

  package func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome {
    try writing.withLock { try work(self) }
  }

  package func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try changingDraft { try $0.deleteAll(deletion) }
  }

  package func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try changingDraft { try $0.insertAll(insertion) }
  }

  package func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try changingDraft { try $0.updateAll(update) }
  }

  private func changingDraft<Value>(_ change: (InMemoryStore) throws -> Value) throws -> Value {
    try memory.checkWritable()
    return try writing.withLock {
      let draft = try memory.draft()
      let value = try change(draft)
      let contents = draft.contents.withLock { $0 }
      try commitDraft(contents, changes: nil)
      publish(contents)
      return value
    }
  }

  func publish(_ contents: InMemoryContents) { memory.contents.withLock { $0 = contents } }

  /// Makes the store in memory that answers for this one.
  static func makeMemory(options: [AnyHashable: Any]?) -> InMemoryStore {
    InMemoryStore(
      persistentStoreCoordinator: nil,
      configurationName: nil,
      at: StoreFile.nowhere,
      options: options
    )
  }

  /// Prepares the store in memory for a model. The store has its index by then.
  func openMemory(_ model: NSManagedObjectModel) throws {
    memory.index = index
    memory.url = url
    try memory.open(model: model)
  }

  /// The next save writes to the new place.
  package func relocate(to url: URL) throws {
    writing.withLock {
      self.url = url
      memory.url = url
    }
  }

  package func close() throws { try memory.close() }
}

extension InMemoryStore {
  /// A store of its own with the same contents.
  fileprivate func draft() throws -> InMemoryStore {
    let draft = InMemoryStore(
      persistentStoreCoordinator: nil,
      configurationName: configurationName,
      at: url ?? StoreFile.nowhere,
      options: options
    )
    draft.index = index
    if let model { try draft.open(model: model) }
    let contents = contents.withLock { $0 }
    draft.contents.withLock { $0 = contents }
    return draft
  }
}
