/// The changes of fetched results, as plain values.
///
/// Places before are those before all changes, and places after those after all of them. The new results are made in
/// this order: take out what was deleted and moved, take out the deleted sections, put in the new ones, and put in what
/// was inserted and moved in the order of the new places.
struct FetchedChanges {
  struct Section {
    let section: FetchedSection
    let index: Int
  }

  struct Deletion {
    let object: NSManagedObject
    let from: FetchedPosition
  }

  struct Insertion {
    let object: NSManagedObject
    let to: FetchedPosition
  }

  struct Move {
    let object: NSManagedObject
    let from: FetchedPosition
    let to: FetchedPosition
  }

  var deletedSections: [Section] = []
  var insertedSections: [Section] = []
  var deletions: [Deletion] = []
  var insertions: [Insertion] = []
  var moves: [Move] = []
  /// Objects that changed and stay where they are among the others.
  var updates: [Move] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// In the order of their places.
  mutating func sort() {
    deletions.sort { $0.from < $1.from }
    insertions.sort { $0.to < $1.to }
    moves.sort { $0.to < $1.to }
    updates.sort { $0.from < $1.from }
  }

  /// The changes of results that have one section.
  var difference: CollectionDifference<NSManagedObjectID>? {
    var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
    for deletion in deletions {
      changes.append(.remove(offset: deletion.from.item, element: deletion.object.objectID, associatedWith: nil))
    }
    for insertion in insertions {
      changes.append(.insert(offset: insertion.to.item, element: insertion.object.objectID, associatedWith: nil))
    }
    for move in moves + updates {
      let objectID = move.object.objectID
      changes.append(.remove(offset: move.from.item, element: objectID, associatedWith: move.to.item))
      changes.append(.insert(offset: move.to.item, element: objectID, associatedWith: move.from.item))
    }
    return CollectionDifference(changes)
  }
}
