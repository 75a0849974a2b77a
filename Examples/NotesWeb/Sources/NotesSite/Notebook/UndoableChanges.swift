import CoreData
import Synchronization

/// A saved change, and its context, whose undo manager can undo it.
struct UndoableChange: Sendable {
  enum Kind: Sendable {
    case creation, edit, deletion
  }

  let kind: Kind
  let context: NSManagedObjectContext
  let note: NoteID
  let title: String
  /// The revision of the note after the change; nil if it was deleted.
  let revision: String?
  /// A random name that cannot be guessed.
  let name =
    String(UInt64.random(in: 0...(.max)), radix: 36) + String(UInt64.random(in: 0...(.max)), radix: 36)
}

/// The last changes of all pages. Each of them can be undone separately, in any order.
///
/// A single undo manager would undo the last change of any page.
final class UndoableChanges: Sendable {
  /// The greatest number of changes. Each has a context with the objects of one note.
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

  /// Finds a change that can still be undone.
  func change(_ name: String) -> UndoableChange? {
    changes.withLock { changes in changes.first { $0.name == name } }
  }

  /// Finds a change and removes it, so that it is undone only once.
  func take(_ name: String) -> UndoableChange? {
    changes.withLock { changes in
      changes.firstIndex { $0.name == name }.map { changes.remove(at: $0) }
    }
  }

  /// Keeps a change whose undo has timed out.
  func putBack(_ change: UndoableChange) { _ = add(change) }
}

extension NoteStore {
  /// Describes an undoable change for a page: a sentence and the title of the note. Nil if the change is too
  /// old or was undone.
  package func undoableChange(_ name: String) -> (sentence: String, title: String)? {
    guard let change = undoable.change(name) else { return nil }
    switch change.kind {
    case .creation: return ("was added.", change.title)
    case .edit: return ("was changed.", change.title)
    case .deletion: return ("was deleted.", change.title)
    }
  }
}
