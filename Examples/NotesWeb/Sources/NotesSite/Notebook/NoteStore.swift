import CoreData
package import CoreDataServer
package import Foundation
import Seeding

/// The notes in a folder. Each request has its own context, and the feed has one that it keeps.
package struct NoteStore: Sendable {
  let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesModel.shared)
  /// Notifies pages of changes to the notes.
  package let feed: NoteFeed
  /// The changes that can be undone.
  let undoable = UndoableChanges()
  /// The time limit of a request. After it, the answer says that the store is busy.
  static let patience = Duration.seconds(5)

  /// Opens the store at a location, and creates it if it does not exist.
  ///
  /// - Parameter place: The store's file.
  /// - Throws: `CocoaError`.
  package init(at place: URL) async throws {
    let description = NSPersistentStoreDescription(url: place)
    description.timeout = 5
    // Other programs may also change the notes, such as the command. The history reports their changes.
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

  /// Closes the store when the server shuts down.
  package var service: PersistentContainerService { PersistentContainerService(container) }

  /// Closes the store immediately.
  package func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The problems that prevent the store from working; empty if there are none.
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

  /// Finds the notes of a page, the newest first.
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

  /// The categories and tags in a form.
  package func choices() async throws -> (categories: [CategoryDetails], tags: [TagDetails]) {
    try await read { context in (try context.categories(), try context.tags(withoutNotes: true)) }
  }

  /// Runs reads in a new context.
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
