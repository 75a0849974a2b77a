import Foundation

@testable import CoreData

/// A channel between a context and its coordinator that counts the requests to the stores.
final class CountingChannel: ObjectChannel {
  private let channel: any ObjectChannel
  private(set) var fetches = 0
  private(set) var rows = 0
  private(set) var destinations = 0
  private(set) var destinationsOfMany = 0

  init(_ channel: any ObjectChannel) { self.channel = channel }

  /// Installs a channel between a context and its stores.
  static func install(in context: NSManagedObjectContext) throws -> CountingChannel {
    let counting = CountingChannel(try context.connectedChannel())
    context.channel = counting
    return counting
  }

  /// The number of all requests.
  var count: Int { fetches + rows + destinations + destinationsOfMany }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    fetches += 1
    return try channel.fetch(query)
  }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    rows += 1
    return try channel.row(of: reference, layout: layout)
  }

  func destinations(of relationship: Int, from reference: ObjectReference, layout: EntityLayout) throws
    -> [ObjectReference]
  {
    destinations += 1
    return try channel.destinations(of: relationship, from: reference, layout: layout)
  }

  func destinations(of relationship: Int, fromEach references: [ObjectReference], layout: EntityLayout) throws
    -> [[FetchedRow]]
  {
    destinationsOfMany += 1
    return try channel.destinations(of: relationship, fromEach: references, layout: layout)
  }

  func count(_ query: FetchQuery) throws -> Int { try channel.count(query) }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try channel.permanentReferences(for: objects)
  }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try channel.commit(changes) }
  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try channel.deleteAll(deletion) }
  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try channel.insertAll(insertion) }
  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try channel.updateAll(update) }
}
