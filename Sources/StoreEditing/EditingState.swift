import CoreData
import Foundation
import StoreExploration
import Texts

/// The context of a session, and the session's information about the objects in it.
// The session uses it only on the queue of its context.
final class EditingState: @unchecked Sendable {
  /// The number of edits that can be undone.
  private static let mostUndone = 200
  /// The author of the session's transactions in the history of the store.
  static let author = "perennial browse"

  let explored: ExploredStore
  let context: NSManagedObjectContext
  /// The numbers of the objects that do not have a key yet.
  var newObjects = NewObjects()
  /// The objects that an edit deleted directly, and not through a delete rule.
  var deletedByHand: Set<NSManagedObject> = []
  /// For each deletion by an edit, the objects that delete rules also deleted.
  var takenAlong: [NSManagedObject: Set<NSManagedObject>] = [:]
  /// The unsettled conflicts of the last save.
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

  /// The object that an edit identifies.
  ///
  /// - Throws: `noSuchObject` if the object does not exist any more, or its deletion is staged.
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

  /// The object that an edit identifies. If it does not have staged changes, its values are read again.
  func currentObject(_ edited: EditedObject) throws -> NSManagedObject {
    let object = try object(edited)
    guard !object.hasChanges else { return object }
    context.refresh(object, mergeChanges: false)
    // Another process may have deleted it since it was registered.
    return try self.object(edited)
  }

  /// The value that identifies an object in edits.
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
    return EditedLink(object: edited, name: isNameless ? Self.fallback(edited) : name)
  }

  private static func fallback(_ edited: EditedObject) -> String {
    VisibleText(line: "\(edited.entity) \(edited.text)", atMost: ObjectNames.longestName).description
  }

  /// The description of an object in the name of an edit, such as `Note "Milk"`.
  func words(_ object: NSManagedObject) -> String { "\(object.entity.name ?? "object") \"\(link(object).name)\"" }

  // MARK: - Edits

  /// Runs an edit that one undo takes back.
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

  /// Forgets the undo actions, numbers and conflicts of changes that are now saved or discarded.
  func forgetEdits() {
    context.undoManager?.removeAllActions()
    newObjects.removeAll()
    deletedByHand = []
    takenAlong = [:]
    conflicts = []
  }

  /// Forgets a value that could not be read. The failure was reported when it occurred.
  func forgetReadFailure() { _ = context.takeReadFailure() }
}
