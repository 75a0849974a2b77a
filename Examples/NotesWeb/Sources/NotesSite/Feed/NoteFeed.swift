import CoreData
import Logging

/// Follows the notes through the updates of a fetch, and sends their changes to pages. The changes may come
/// from a request, the seeding, or another program.
package actor NoteFeed {
  package nonisolated let subscribers = FeedSubscribers()
  private nonisolated let container: NSPersistentContainer
  private nonisolated let context: NSManagedObjectContext
  private var state = State.starting
  private var following: Task<Void, Never>?
  /// The callers that wait for the next state.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private static let logger = Logger(label: "notes.feed")

  private enum State {
    case starting
    /// Pages were notified of these notes.
    case following([NSManagedObjectID])
    case failed(any Error)
  }

  init(_ container: NSPersistentContainer) {
    self.container = container
    context = container.newBackgroundContext()
  }

  deinit { following?.cancel() }

  /// Begins to follow the notes.
  ///
  /// - Throws: the error of the first fetch.
  func start() async throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = Note.newestFirst
    let updates = context.updates(of: request, transform: \.objectID)
    following = Task { [weak self] in
      // If the store was busy, the fetch is tried once more.
      for isLast in [false, true] {
        do {
          for try await update in updates { await self?.take(update) }
          return
        } catch {
          Self.logger.error("the notes cannot be followed: \(error)")
          if isLast { await self?.set(.failed(error)) }
        }
      }
    }
    while case .starting = state { await nextState() }
    if case .failed(let error) = state { throw error }
  }

  /// Waits until pages were notified of the notes that the store has now.
  package func catchUp() async throws {
    let stored = try await container.performBackgroundTask { context in
      Set(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.objectID))
    }
    while true {
      switch state {
      case .following(let known) where Set(known) == stored: return
      case .failed(let error): throw error
      case .starting, .following: await nextState()
      }
    }
  }

  /// Sends an update to pages.
  private func take(_ update: FetchedUpdate<NSManagedObjectID>) {
    var changes = NoteChanges()
    if let difference = update.difference {
      changes = NoteChanges(difference)
    } else if case .following = state {
      // After an error the changes are not known, so every note may have changed.
      changes.count = update.results.count
    }
    if changes.count > 0 { subscribers.send(.changes(changes)) }
    set(.following(update.results))
  }

  private func set(_ state: State) {
    self.state = state
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  private func nextState() async { await withCheckedContinuation { waiting.append($0) } }
}

extension NoteChanges {
  /// The changes in a difference. A changed note is both removed and inserted in it.
  fileprivate init(_ difference: CollectionDifference<NSManagedObjectID>) {
    self.init()
    for case .remove(_, let objectID, nil) in difference.removals { add(objectID, to: \.deleted) }
    for case .insert(_, let objectID, let origin) in difference.insertions {
      add(objectID, to: origin == nil ? \.inserted : \.updated)
    }
  }

  private mutating func add(_ objectID: NSManagedObjectID, to kind: WritableKeyPath<NoteChanges, [String]>) {
    count += 1
    guard count <= Self.mostNamed, let id = NoteID(objectID.uriRepresentation().lastPathComponent) else {
      return
    }
    self[keyPath: kind].append(id.description)
  }
}
