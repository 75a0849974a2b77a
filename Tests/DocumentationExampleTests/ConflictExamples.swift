import CoreData
import Foundation
import Testing

@Suite("Examples of conflicts and merge policies")
struct ConflictExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  /// Saves another title and rating of the first note in another context.
  private func saveElsewhere() throws {
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    #expect(!note.title.isEmpty)
    try other.performAndWait {
      let note = other.object(with: id) as? Note
      note?.title = "Prune the pear tree"
      note?.rating = 1
      try other.save()
    }
  }

  @Test("the context's changes win over other saves")
  func objectTrump() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift class NSMergePolicy:
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    note.title = "Prune the old apple tree"
    try context.save()
    // end
    #expect(note.title == "Prune the old apple tree" && note.rating == 1)
  }

  @Test("other saves win over the context's changes")
  func storeTrump() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift class var mergeByPropertyStoreTrump
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    note.title = "Prune the old apple tree"
    note.isPinned = false
    try context.save()
    print(note.title, note.isPinned)  // as others saved it; and what only this context has changed
    // end
    #expect(note.title == "Prune the pear tree" && !note.isPinned)
  }

  @Test("the context's version of an object wins")
  func overwrite() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift class var overwrite
    context.mergePolicy = NSMergePolicy.overwrite
    note.title = "Prune the old apple tree"
    try context.save()
    print(note.rating)  // what this context has read, not what others have saved since
    // end
    #expect(note.rating == 5)
  }

  @Test("the store's version of an object wins")
  func rollback() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift class var rollback
    context.mergePolicy = NSMergePolicy.rollback
    note.title = "Prune the old apple tree"
    note.isPinned = false
    try context.save()
    // end
    #expect(note.title == "Prune the pear tree" && note.isPinned)
  }

  @Test("a conflict is an error that names the objects")
  func error() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift class var error
    context.mergePolicy = NSMergePolicy.error
    note.title = "Prune the old apple tree"
    do {
      try context.save()
    } catch let error as NSError where error.code == NSManagedObjectMergeError {
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
      for conflict in conflicts { context.refresh(conflict.sourceObject, mergeChanges: true) }
      try context.save()
    }
    // end
    #expect(note.title == "Prune the old apple tree" && note.rating == 1)
  }

  @Test("a policy has two objects of one name become one")
  func constraint() throws {
    // example: NSManagedObjectContext.swift var mergePolicy
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let tag = Tag(context: context)
    tag.name = "garden"  // the entity's uniqueness constraint; there is one of this name
    try context.save()
    // end
    #expect(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 1)
  }

  @Test("the conflict of a constraint names the values that objects share")
  func constraintConflict() throws {
    // example: NSConstraintConflict.swift class NSConstraintConflict
    Tag(context: context).name = "garden"
    do {
      try context.save()
    } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
      print(conflicts.map(\.constraintValues))  // [["name": "garden"]]
      context.rollback()
    }
    // end
    #expect(!context.hasChanges)
  }

  @Test("a conflict has the values that were read and the stored ones")
  func mergeConflict() throws {
    try saveElsewhere()
    note.title = "Prune the old apple tree"
    var conflicts: [NSMergeConflict] = []
    do {
      try context.save()
    } catch let error as NSError {
      conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    }
    // example: NSMergeConflict.swift class NSMergeConflict
    for conflict in conflicts {
      let mine = conflict.sourceObject.value(forKey: "title") ?? ""
      let theirs = conflict.persistedSnapshot?["title"] ?? "nothing: it was deleted"
      print("mine: \(mine), theirs: \(theirs)")
    }
    // end
    #expect(conflicts.first?.persistedSnapshot?["title"] as? String == "Prune the pear tree")
  }

  @Test("a policy of an application's own chooses for itself")
  func ownPolicy() throws {
    try saveElsewhere()
    // example: NSMergePolicy.swift func resolve(optimisticLockingConflicts
    final class GreaterRating: NSMergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
        for conflict in list {
          let theirs = conflict.persistedSnapshot?["rating"] as? Int64 ?? 0
          if let note = conflict.sourceObject as? Note { note.rating = max(note.rating, theirs) }
        }
      }
    }
    context.mergePolicy = GreaterRating(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    // end
    note.rating = 3
    try context.save()
    #expect(note.rating == 3)
  }
}
