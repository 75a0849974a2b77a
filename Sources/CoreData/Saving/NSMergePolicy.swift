public import Foundation

/// The ways to resolve conflicts between a context and its stores.
public enum NSMergePolicyType: UInt, Sendable {
  /// A conflict fails the save.
  case errorMergePolicyType = 0
  /// Property by property, what is in the store wins over what changed in the context.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property, what changed in the context wins over what is in the store.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The object of the context replaces what is in the store.
  case overwriteMergePolicyType = 3
  /// The object in the store replaces the object of the context.
  case rollbackMergePolicyType = 4
}

/// The policy by which a context resolves conflicts with changes that others have saved since it read the objects.
///
/// Here a new title wins over one that another context has saved meanwhile, and whatever else was saved there stays:
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// note.title = "Prune the old apple tree"
/// try context.save()
/// ```
///
/// Apple's documentation of `NSMergePolicy`.
// Immutable. Subclasses answer for what they add.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// A conflict fails the save, which is a context's default.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.error
  /// note.title = "Prune the old apple tree"
  /// do {
  ///   try context.save()
  /// } catch let error as NSError where error.code == NSManagedObjectMergeError {
  ///   let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
  ///   for conflict in conflicts { context.refresh(conflict.sourceObject, mergeChanges: true) }
  ///   try context.save()
  /// }
  /// ```
  public class var error: NSMergePolicy { shared[0] }
  /// Property by property, what is in the store wins.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
  /// note.title = "Prune the old apple tree"
  /// note.isPinned = false
  /// try context.save()
  /// print(note.title, note.isPinned)  // as others saved it; and what only this context has changed
  /// ```
  public class var mergeByPropertyStoreTrump: NSMergePolicy { shared[1] }
  /// Property by property, what changed in the context wins.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { shared[2] }
  /// The object of the context wins as a whole.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.overwrite
  /// note.title = "Prune the old apple tree"
  /// try context.save()
  /// print(note.rating)  // what this context has read, not what others have saved since
  /// ```
  public class var overwrite: NSMergePolicy { shared[3] }
  /// The object in the store wins as a whole.
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.rollback
  /// note.title = "Prune the old apple tree"
  /// note.isPinned = false
  /// try context.save()
  /// ```
  public class var rollback: NSMergePolicy { shared[4] }

  private static let shared: [NSMergePolicy] = (0...4).map {
    NSMergePolicy(merge: NSMergePolicyType(rawValue: $0) ?? .errorMergePolicyType)
  }

  /// The way in which the policy resolves conflicts.
  public final let mergeType: NSMergePolicyType

  /// Makes a policy; subclasses start from one of the types.
  public init(merge type: NSMergePolicyType) {
    mergeType = type
    super.init()
  }

  /// Resolves conflicts by changing the objects in them. A save calls it, and then tries again.
  ///
  /// The second try of a save keeps others from writing the same stores, so that it is the last one. Where it is in
  /// conflict once more, the policy is called meanwhile: it may fetch, and no context saves before the save has ended.
  ///
  /// - Parameter list: conflicts of versions (`NSMergeConflict`) and of uniqueness constraints
  ///   (`NSConstraintConflict`).
  /// - Throws: the errors of ``resolve(optimisticLockingConflicts:)`` and ``resolve(constraintConflicts:)``.
  open func resolve(mergeConflicts list: [Any]) throws {
    let versions = list.compactMap { $0 as? NSMergeConflict }
    if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
    let constraints = list.compactMap { $0 as? NSConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts of uniqueness constraints: of the objects with the same values one is left.
  ///
  /// That is the object of the store, or the first of several new ones. Where the context is to win, it first takes the
  /// new values and destinations of the others. An object that was saved before and then got the values of another
  /// loses its change, or, where the context is to win, has the other deleted.
  ///
  /// - Throws: `NSManagedObjectConstraintMergeError` with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType { throw Self.error(for: list) }
    for conflict in list { resolve(conflict) }
  }

  /// Resolves conflicts of versions by changing the objects in them.
  ///
  /// ```swift
  /// final class GreaterRating: NSMergePolicy, @unchecked Sendable {
  ///   override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
  ///     try super.resolve(optimisticLockingConflicts: list)
  ///     for conflict in list {
  ///       let theirs = conflict.persistedSnapshot?["rating"] as? Int64 ?? 0
  ///       if let note = conflict.sourceObject as? Note { note.rating = max(note.rating, theirs) }
  ///     }
  ///   }
  /// }
  /// context.mergePolicy = GreaterRating(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// ```
  ///
  /// An object that another context has deleted stays deleted by the policies by which the store wins, and where the
  /// context has deleted it as well. Where the context has changed it and is to win, the save fails, because the
  /// references to the object and the objects that were deleted with it would not come back.
  ///
  /// The policy settles the values of the objects. The save then reconciles their relationships: it applies delete
  /// rules to added destinations of other writers, makes both sides agree, and validates its own changes.
  ///
  /// - Throws: `NSManagedObjectMergeError` with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType { throw Self.error(for: list) }
    let deleted = list.filter { $0.persisted == nil }
    let lost = contextWins ? deleted.filter { !$0.sourceObject.isDeleted } : []
    if !lost.isEmpty { throw Self.deletionError(for: lost) }
    for conflict in deleted {
      if contextWins {
        // Both want the same, and nothing is left to be done.
        conflict.sourceObject.state.insert(.deletedElsewhere)
      } else {
        conflict.sourceObject.registry.context?.handleInaccessible(conflict.sourceObject)
      }
    }
    for conflict in list {
      if let persisted = conflict.persisted { conflict.sourceObject.rebase(mergeType, on: persisted) }
    }
  }

  /// True for the policies by which what changed in the context wins.
  private var contextWins: Bool {
    mergeType == .mergeByPropertyObjectTrumpMergePolicyType || mergeType == .overwriteMergePolicyType
  }

  private static func error(for conflicts: [NSMergeConflict]) -> NSError {
    CocoaError.coreData(
      NSManagedObjectMergeError,
      message: """
        \(conflicts.count) objects were changed by others since they were read (\(names(of: conflicts))); refresh them \
        and try again, or set the context's mergePolicy.
        """,
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts]
    )
  }

  /// A policy does not undo a deletion, because the references to the object, and the objects that its delete rules
  /// have deleted, are gone.
  private static func deletionError(for conflicts: [NSMergeConflict]) -> NSError {
    CocoaError.coreData(
      NSManagedObjectMergeError,
      message: """
        \(conflicts.count) objects that changed here were deleted by others since they were read \
        (\(names(of: conflicts))), and no merge policy brings them back; delete them here too, or insert new objects \
        with their values.
        """,
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts]
    )
  }

  private static func names(of conflicts: [NSMergeConflict]) -> String {
    let names = conflicts.prefix(3).map { $0.sourceObject.describeIdentity() }
    return names.joined(separator: ", ") + (conflicts.count > 3 ? ", …" : "")
  }

  open override var description: String { describe() }
}

/// ``NSMergePolicy/error``.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }
/// ``NSMergePolicy/mergeByPropertyStoreTrump``.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyStoreTrump }
/// ``NSMergePolicy/mergeByPropertyObjectTrump``.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject { NSMergePolicy.mergeByPropertyObjectTrump }
/// ``NSMergePolicy/overwrite``.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }
/// ``NSMergePolicy/rollback``.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }

extension NSManagedObject {
  /// The persistent values of a row by name: IDs for to-one relationships, `NSNull` where there is none.
  final func snapshot(of row: Row) -> [String: Any] {
    var values: [String: Any] = [:]
    for slot in layout.slots.indices {
      guard !layout.slots[slot].isTransient else { continue }
      let value = publicValue(row.value(slot), slot: slot)
      values[layout.slots[slot].name] = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
    }
    return values
  }

  /// Bases the object's changes on what is in the store now.
  final func rebase(_ type: NSMergePolicyType, on persisted: Row) {
    let committed = committedRow
    let current = currentRow
    let merged = persisted.copy()
    for slot in layout.slots.indices {
      let isChangedHere = committed.map { !current.hasEqualValue($0, slot: slot) } ?? true
      let isChangedThere = committed.map { !persisted.hasEqualValue($0, slot: slot) } ?? true
      let isOwn =
        switch type {
        case .overwriteMergePolicyType: true
        case .mergeByPropertyObjectTrumpMergePolicyType: isChangedHere
        case .mergeByPropertyStoreTrumpMergePolicyType: isChangedHere && !isChangedThere
        case .rollbackMergePolicyType, .errorMergePolicyType: false
        }
      if current.failure(slot) != nil { continue }
      if isOwn || layout.slots[slot].isTransient { merged.set(current.value(slot), slot: slot) }
    }
    announceChanges()
    ensureExtras().committed = persisted
    setRow(merged)
    updateFailureState()
    extras?.destinations.removeAll()
    if type == .rollbackMergePolicyType {
      extras?.toMany.removeAll()
      state.remove(.deleted)
    }
  }
}
