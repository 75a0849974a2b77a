import CoreData
package import CoreDataServer
package import Foundation
import Seeding

/// The notes of a folder. Each request has a context of its own; what follows the notes has one that stays.
package struct NoteStore: Sendable {
  let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesModel.shared)
  /// Tells pages what becomes of the notes.
  package let feed: NoteFeed
  /// The changes that can be taken back.
  let undoable = UndoableChanges()
  /// The time in which a request is answered, or told that the store is busy.
  static let patience = Duration.seconds(5)

  /// Opens the store at a place, and makes it where it is missing.
  ///
  /// - Parameter place: The store's file.
  /// - Throws: `CocoaError`.
  package init(at place: URL) async throws {
    let description = NSPersistentStoreDescription(url: place)
    description.timeout = 5
    // Other programs may change the notes, such as the command; they are followed by the history.
    description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      NSNumber(value: true),
      forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
    )
    description.setOption(NSNumber(value: 7 * 86_400), forKey: StoreHistoryLifetimeOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    feed = NoteFeed(container)
    try await feed.start()
  }

  /// Closes the store when the server is told to end.
  package var service: PersistentContainerService { PersistentContainerService(container) }

  /// Closes the store at once.
  package func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The problems that keep the store from its work; empty when it is well.
  package func problems() async throws -> [String] {
    let coordinator = container.persistentStoreCoordinator
    guard !coordinator.persistentStores.isEmpty else { return ["no store is open"] }
    var problems: [String] = []
    for store in coordinator.persistentStores {
      let health = try await coordinator.health(of: store, deadline: .now + Self.patience)
      if !health.isUsable { problems += health.problems.map(\.description) }
    }
    return problems
  }

  // MARK: - Reading

  /// Finds a note.
  ///
  /// - Throws: `NoteFailure.notFound`.
  package func note(_ id: NoteID) async throws -> NoteDetails {
    try await read { context in
      guard let note = try context.note(id) else { throw NoteFailure.notFound }
      return NoteDetails(note)
    }
  }

  /// Finds the notes that a page shows, the newest first.
  package func notes(_ query: NoteQuery) async throws -> NoteList {
    try await read { context in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = query.predicate
      request.sortDescriptors = Note.newestFirst
      request.fetchLimit = NoteQuery.pageSize
      request.fetchOffset = (query.page - 1) * NoteQuery.pageSize
      request.relationshipKeyPathsForPrefetching = ["category", "tags"]
      return NoteList(
        notes: try context.fetch(request).map(NoteDetails.init),
        count: try context.count(for: request.withoutLimits),
        categories: try context.categories(),
        tags: try context.tags(),
        total: try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
      )
    }
  }

  /// The categories and tags that a form offers.
  package func choices() async throws -> (categories: [CategoryDetails], tags: [TagDetails]) {
    try await read { context in (try context.categories(), try context.tags(withoutNotes: true)) }
  }

  /// Runs work that reads in a context of its own.
  private func read<Answer: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Answer
  ) async throws -> Answer {
    do {
      return try await container.performBackgroundTask(deadline: .now + Self.patience) { try work($0) }
    } catch let error as CocoaError where error.code == .persistentStoreTimeout {
      throw NoteFailure.busy
    }
  }
}
