import CoreData
import Foundation
import Testing

@Suite("The delegate of a fetched results controller")
struct DelegateTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  @Test(
    "a delegate gets insertions, deletions, moves and updates between will and did change",
    arguments: StoreKind.allCases
  )
  func changes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = ["a", "b", "c", "d"].map { stack.note($0) }
    try stack.save()
    let controller = try stack.controller()
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    let new = stack.note("bb")
    stack.context.delete(notes[0])
    notes[3].title = "aa"
    notes[2].rating = 9
    stack.context.processPendingChanges()
    #expect(
      recorder.told == [
        .will, .object(notes[0].objectID, path(0), .delete, nil),
        .object(new.objectID, nil, .insert, path(2)),
        .object(notes[3].objectID, path(3), .move, path(0)),
        .object(notes[2].objectID, path(2), .update, path(3)), .did,
      ]
    )
    #expect(controller.titles == ["aa", "b", "bb", "c"])
    #expect(recorder.isCopyOf(controller))
    #expect(recorder.strangers == 0)
  }

  @Test(
    "a delegate gets new sections before their objects, and removed sections after them",
    arguments: StoreKind.allCases
  )
  func sections(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (one, three) = (stack.category("1"), stack.category("3"))
    let notes = [stack.note("a", one), stack.note("b", three)]
    try stack.save()
    let controller = try stack.controller(sort: ["category.name", "title"], sections: "category.name")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    notes[0].category = stack.category("2")
    stack.context.processPendingChanges()
    #expect(
      recorder.told == [
        .will, .section("2", 0, .insert), .object(notes[0].objectID, path(0, 0), .move, path(0, 0)),
        .section("1", 0, .delete), .did,
      ]
    )
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a delegate gets the controller's new section, the same object until something changes")
  func sectionObjects() throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
      var inserted: [any NSFetchedResultsSectionInfo] = []
      func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
      ) {
        if type == .insert { inserted.append(sectionInfo) }
      }
    }
    let stack = try Stack(.inMemory)
    let controller = try stack.controller(sort: ["category.name", "title"], sections: "category.name")
    let delegate = Delegate()
    controller.delegate = delegate
    try controller.performFetch()
    stack.note("a", stack.category("1"))
    stack.context.processPendingChanges()
    let section = try #require(controller.sections?.first)
    #expect(delegate.inserted.map { $0 === section } == [true])
    #expect(controller.sections?.first === section)
    stack.note("b", stack.category("1"))
    stack.context.processPendingChanges()
    #expect(controller.sections?.first?.numberOfObjects == 2)
    #expect(section.numberOfObjects == 1)
  }

  @Test("a delegate gets objects that begin or cease to match", arguments: StoreKind.allCases)
  func predicate(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (low, high) = (stack.note("a", rating: 1), stack.note("b", rating: 5))
    try stack.save()
    let controller = try stack.controller("rating > 3")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    low.rating = 9
    high.rating = 0
    stack.note("c", rating: 0)
    stack.context.processPendingChanges()
    #expect(
      recorder.told == [
        .will, .object(high.objectID, path(0), .delete, nil), .object(low.objectID, nil, .insert, path(0)),
        .did,
      ]
    )
  }

  @Test(
    "a delegate is not called for other entities, or without a change",
    arguments: StoreKind.storesAndChildren
  )
  func nothing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a")
    let controller = try stack.controller("rating > 100")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    _ = stack.tag("t")
    note.rating = 4
    stack.context.processPendingChanges()
    #expect(recorder.told.isEmpty)
  }

  @Test(
    "a delegate is notified when an object is deleted that was inserted and never saved",
    arguments: StoreKind.storesAndChildren
  )
  func insertedAndDeleted(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let controller = try stack.controller()
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    let note = stack.note("a")
    stack.context.processPendingChanges()
    stack.context.delete(note)
    stack.context.processPendingChanges()
    #expect(recorder.told.count == 6 && controller.titles.isEmpty)
  }

  @Test("a delegate is notified of a rollback", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = ["a", "b", "c"].map { stack.note($0) }
    try stack.save()
    let controller = try stack.controller()
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    stack.note("n")
    notes[0].title = "z"
    stack.context.delete(notes[1])
    stack.context.processPendingChanges()
    #expect(controller.titles == ["c", "n", "z"])
    stack.context.rollback()
    #expect(controller.titles == ["a", "b", "c"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a delegate is notified of another context's save", arguments: StoreKind.storesAndChildren)
  func merge(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a")
    try stack.save()
    let controller = try stack.controller()
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    let other = stack.newContext()
    let note = try #require(try stack.fetch(Note.self, in: other).first)
    note.title = "z"
    let new = Note(context: other)
    new.title = "n"
    try other.save()
    stack.context.mergeChanges(
      fromContextDidSave: Notification(
        name: .NSManagedObjectContextDidSave,
        object: other,
        userInfo: [
          NSInsertedObjectsKey: Set<NSManagedObject>([new]),
          NSUpdatedObjectsKey: Set<NSManagedObject>([note]),
        ]
      )
    )
    #expect(controller.titles == ["n", "z"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a delegate gets objects that move into the limit", arguments: StoreKind.storesAndChildren)
  func limit(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = ["a", "b", "c"].map { stack.note($0) }
    try stack.save()
    let controller = try stack.controller()
    controller.fetchRequest.fetchLimit = 2
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    stack.context.delete(notes[0])
    stack.context.processPendingChanges()
    #expect(controller.titles == ["b", "c"])
    stack.note("bb")
    stack.context.processPendingChanges()
    #expect(controller.titles == ["b", "bb"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("a delegate for differences gets only these", arguments: StoreKind.storesAndChildren)
  func difference(_ kind: StoreKind) throws {
    final class Differences: NSObject, NSFetchedResultsControllerDelegate {
      var ids: [NSManagedObjectID] = []
      var others = 0

      func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
      ) {
        ids = ids.applying(diff) ?? []
      }

      func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        others += 1
      }
    }
    let stack = try Stack(kind)
    let notes = ["a", "b", "c"].map { stack.note($0) }
    let controller = try stack.controller()
    let delegate = Differences()
    controller.delegate = delegate
    try controller.performFetch()
    delegate.ids = controller.fetchedObjects?.map(\.objectID) ?? []
    notes[0].title = "z"
    notes[1].rating = 0
    stack.context.delete(notes[2])
    stack.note("n")
    stack.context.processPendingChanges()
    #expect(delegate.ids == controller.fetchedObjects?.map(\.objectID))
    #expect(controller.titles == ["b", "n", "z"] && delegate.others == 0)
  }

  @Test("a delegate can provide the titles of sections", arguments: StoreKind.storesAndChildren)
  func titles(_ kind: StoreKind) throws {
    final class Titles: NSObject, NSFetchedResultsControllerDelegate {
      func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
      ) -> String? { "<\(sectionName)>" }
    }
    let stack = try Stack(kind)
    stack.note("a")
    let controller = try stack.controller(sections: "title")
    let delegate = Titles()
    controller.delegate = delegate
    try controller.performFetch()
    #expect(controller.sectionIndexTitles == ["<a>"])
  }

  @Test(
    "a failure to evaluate is kept for the next save, and the results stay",
    arguments: [StoreKind.inMemory, .childOfInMemory]
  )
  func failure(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a")
    let controller = try stack.controller()
    let recorder = ChangeRecorder(controller)
    controller.fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true)
    ]
    controller.fetchRequest.predicate = NSPredicate(format: "title > createdAt")
    try controller.performFetch()
    note.createdAt = Date()
    stack.context.processPendingChanges()
    #expect(recorder.told.isEmpty)
    #expect(throws: (any Error).self) { try stack.context.save() }
  }
}
