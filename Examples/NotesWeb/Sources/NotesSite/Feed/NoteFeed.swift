import CoreData
import Logging

/// Follows the notes by the updates of a fetch, and tells pages what becomes of them, whoever it was that changed
/// them: a request, the seeding, or another program.
package actor NoteFeed {
  package nonisolated let subscribers = FeedSubscribers()
  private nonisolated let container: NSPersistentContainer
  private nonisolated let context: NSManagedObjectContext
  private var state = State.starting
  private var following: Task<Void, Never>?
  /// Those who wait for the next state.
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private static let logger = Logger(label: "notes.feed")

  private enum State {
    case starting
    /// Pages were told of these notes.
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
      // A store that was busy is tried once more.
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

  /// Waits until pages were told of the notes that the store has now.
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

  /// Tells pages of an update.
  private func take(_ update: FetchedUpdate<NSManagedObjectID>) {
    var changes = NoteChanges()
    if let difference = update.difference {
      changes = NoteChanges(difference)
    } else if case .following = state {
      // What has changed since the error is not known: everything may have.
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
  /// What a difference says of notes: one that has changed is removed and inserted in it.
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
