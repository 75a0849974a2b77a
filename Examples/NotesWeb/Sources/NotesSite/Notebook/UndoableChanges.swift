import CoreData
import Synchronization

/// A saved change whose context is kept, since its undo manager knows how to take the change back.
struct UndoableChange: Sendable {
  enum Kind: Sendable {
    case creation, edit, deletion
  }

  let kind: Kind
  let context: NSManagedObjectContext
  let note: NoteID
  let title: String
  /// That of the note as the change left it; nil when it was deleted.
  let revision: String?
  /// Nobody can guess it.
  let name =
    String(UInt64.random(in: 0...(.max)), radix: 36) + String(UInt64.random(in: 0...(.max)), radix: 36)
}

/// The last changes of all pages, each of which can be taken back by itself, in any order.
///
/// One undo manager for all would take back the last change, whoever asks.
final class UndoableChanges: Sendable {
  /// The changes that are kept: each has a context with the objects of one note.
  static let most = 50

  private let changes = Mutex<[UndoableChange]>([])

  /// - Returns: The name of the change.
  func add(_ change: UndoableChange) -> String {
    changes.withLock { changes in
      changes.append(change)
      changes.removeFirst(max(changes.count - Self.most, 0))
    }
    return change.name
  }

  /// Finds a change that can still be taken back.
  func change(_ name: String) -> UndoableChange? {
    changes.withLock { changes in changes.first { $0.name == name } }
  }

  /// Finds a change and forgets it, so that it is taken back once.
  func take(_ name: String) -> UndoableChange? {
    changes.withLock { changes in
      changes.firstIndex { $0.name == name }.map { changes.remove(at: $0) }
    }
  }

  /// Keeps a change that could not be taken back in time.
  func putBack(_ change: UndoableChange) { _ = add(change) }
}

extension NoteStore {
  /// What a page says of a change that can be taken back: what it was, and the title of the note. Nil when it is
  /// too long ago or was taken back.
  package func undoableChange(_ name: String) -> (sentence: String, title: String)? {
    guard let change = undoable.change(name) else { return nil }
    switch change.kind {
    case .creation: return ("was added.", change.title)
    case .edit: return ("was changed.", change.title)
    case .deletion: return ("was deleted.", change.title)
    }
  }
}
