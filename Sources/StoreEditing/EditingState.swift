import CoreData
import Foundation
import StoreExploration
import Texts

/// The context of a session, and what the session knows of its objects.
// Used on the queue of its context alone, which the session sees to.
final class EditingState: @unchecked Sendable {
  /// The number of edits that can be undone.
  private static let mostUndone = 200
  /// The author of the session's transactions in the history of the store.
  static let author = "perennial browse"

  let explored: ExploredStore
  let context: NSManagedObjectContext
  /// The names of the objects that have no key yet.
  var newObjects = NewObjects()
  /// The objects that were deleted by an edit of their own, and not along with others.
  var deletedByHand: Set<NSManagedObject> = []
  /// The objects that each deletion by an edit took along.
  var takenAlong: [NSManagedObject: Set<NSManagedObject>] = [:]
  /// The conflicts that the last save met, until they are settled.
  var conflicts: [EditingConflict] = []
  private var names = ObjectNames()

  init(_ explored: ExploredStore) {
    self.explored = explored
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = explored.coordinator
    context.name = "perennial browse"
    context.transactionAuthor = Self.author
    let undoManager = UndoManager()
    undoManager.levelsOfUndo = Self.mostUndone
    context.undoManager = undoManager
  }

  // MARK: - Objects

  /// The object that an edit names.
  ///
  /// - Throws: `noSuchObject` for one that is gone, or is staged to be deleted.
  func object(_ edited: EditedObject) throws -> NSManagedObject {
    switch edited.identity {
    case .new(let number):
      if let object = newObjects.object(number) { return object }
      if let saved = newObjects.saved(number) { return try object(saved) }
      throw EditingFailure(
        code: .noSuchObject,
        problem: "there is no new \(edited.entity) of the name \(edited.text)",
        remedy: "its creation was undone or discarded; create another one"
      )
    case .key(let key):
      let entity = try explored.entity(edited.entity)
      let id = try explored.objectID(entity, key: key)
      if let known = context.registeredObject(for: id), context.deletedObjects.contains(known) {
        throw EditingFailure(
          code: .noSuchObject,
          problem: "\(link(known).name) is staged to be deleted",
          remedy: "undo its deletion first"
        )
      }
      return try explored.object(entity, key: key, in: context)
    }
  }

  /// The object that an edit names, with the values that the store has now where it has no staged changes.
  func currentObject(_ edited: EditedObject) throws -> NSManagedObject {
    let object = try object(edited)
    guard !object.hasChanges else { return object }
    context.refresh(object, mergeChanges: false)
    // It may have been deleted since it was registered.
    return try self.object(edited)
  }

  /// The name by which edits know an object.
  func edited(_ object: NSManagedObject) -> EditedObject {
    let entity = object.entity.name ?? ""
    let id = object.objectID
    if !id.isTemporaryID { return EditedObject(entity: entity, key: id.key) }
    return EditedObject(entity: entity, identity: .new(newObjects.number(of: object)))
  }

  func link(_ object: NSManagedObject) -> EditedLink {
    let edited = edited(object)
    let name = names.name(of: object)
    let isNameless = object.objectID.isTemporaryID && name == ObjectNames.fallback(object.objectID)
    return EditedLink(
      object: edited,
      name: isNameless ? Self.fallback(edited) : name
    )
  }

  private static func fallback(_ edited: EditedObject) -> String {
    VisibleText(line: "\(edited.entity) \(edited.text)", atMost: ObjectNames.longestName).description
  }

  /// An object as the name of an edit has it, such as `Note "Milk"`.
  func words(_ object: NSManagedObject) -> String {
    "\(object.entity.name ?? "object") \"\(link(object).name)\""
  }

  // MARK: - Edits

  /// Does an edit that is undone as one.
  func edit(_ name: String, _ work: () throws -> Void) rethrows {
    context.processPendingChanges()
    context.undoManager?.beginUndoGrouping()
    context.undoManager?.setActionName(name)
    defer {
      context.processPendingChanges()
      context.undoManager?.endUndoGrouping()
    }
    try work()
  }

  /// Forgets all that belongs to staged changes which are saved or discarded now.
  func forgetEdits() {
    context.undoManager?.removeAllActions()
    newObjects.removeAll()
    deletedByHand = []
    takenAlong = [:]
    conflicts = []
  }

  func forgetReadFailure() {
    do {
      try context.throwReadFailure()
    } catch {
      // Told when it happened.
    }
  }
}
