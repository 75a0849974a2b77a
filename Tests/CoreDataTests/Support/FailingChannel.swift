import Foundation

@testable import CoreData

/// A channel between a context and its coordinator whose reads fail while `isFailing` is set.
final class FailingChannel: ObjectChannel {
  static let error = CocoaError.coreData(
    NSPersistentStoreOperationError,
    message: "the disk does not answer."
  )

  private let channel: any ObjectChannel
  var isFailing = true

  init(_ channel: any ObjectChannel) { self.channel = channel }

  /// Installs a channel between a context and its stores.
  static func install(in context: NSManagedObjectContext) throws -> FailingChannel {
    let failing = FailingChannel(try context.connectedChannel())
    context.channel = failing
    return failing
  }

  private func reading() throws {
    if isFailing { throw Self.error }
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    try reading()
    return try channel.fetch(query)
  }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try reading()
    return try channel.row(of: reference, layout: layout)
  }

  func destinations(of relationship: Int, from reference: ObjectReference, layout: EntityLayout) throws
    -> [ObjectReference]
  {
    try reading()
    return try channel.destinations(of: relationship, from: reference, layout: layout)
  }

  func count(_ query: FetchQuery) throws -> Int {
    try reading()
    return try channel.count(query)
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try channel.permanentReferences(for: objects)
  }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try channel.commit(changes) }
  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try channel.deleteAll(deletion) }
  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try channel.insertAll(insertion) }
  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try channel.updateAll(update) }
}
