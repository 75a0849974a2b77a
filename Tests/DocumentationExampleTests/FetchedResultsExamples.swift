import CoreData
import Foundation
import Testing

// example: NSFetchedResultsControllerDelegate.swift protocol NSFetchedResultsControllerDelegate
final class NoteList: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var lines: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    lines.append("\(type) \((anObject as? Note)?.title ?? "")")
  }
}
// end

// example: NSFetchedResultsControllerDelegate.swift didChangeContentWith diff
final class NoteTable: NSObject, NSFetchedResultsControllerDelegate {
  var rows: [NSManagedObjectID] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    rows = rows.applying(diff) ?? rows
  }
}
// end

@Suite("Examples of fetched results controllers")
struct FetchedResultsExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  private func controller() -> NSFetchedResultsController<Note> {
    let request = Note.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
  }

  @Test("results have a section for each author")
  func sections() throws {
    // example: NSFetchedResultsController.swift class NSFetchedResultsController
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = ["author.name", "title"].map { .init(key: $0, ascending: true) }
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: "author.name",
      cacheName: nil
    )
    try controller.performFetch()
    for section in controller.sections ?? [] {
      print(section.name, section.numberOfObjects)
    }
    // end
    #expect(controller.sections?.map(\.numberOfObjects) == [1, 2])
  }

  @Test("results are there once they are fetched")
  func performFetch() throws {
    let controller = controller()
    // example: NSFetchedResultsController.swift func performFetch
    try controller.performFetch()
    for note in controller.fetchedObjects ?? [] {
      print(note.title)
    }
    // end
    #expect(controller.fetchedObjects?.first?.title == "Order compost")
  }

  @Test("an object is found by its place")
  func object() throws {
    let controller = controller()
    try controller.performFetch()
    // example: NSFetchedResultsController.swift func object(at
    let second = controller.object(at: IndexPath(item: 1, section: 0))
    print(second.title)  // Prune the apple tree
    // end
    #expect(second == note)
  }

  @Test("the place of an object is found")
  func indexPath() throws {
    let controller = controller()
    try controller.performFetch()
    // example: NSFetchedResultsController.swift func indexPath(forObject
    if let place = controller.indexPath(forObject: note) {
      print(place.section, place.item)  // 0 1
    }
    // end
    #expect(controller.indexPath(forObject: note) == IndexPath(item: 1, section: 0))
  }

  @Test("a delegate is notified of each object")
  func delegate() throws {
    let controller = controller()
    // example: NSFetchedResultsController.swift weak var delegate
    let list = NoteList()
    controller.delegate = list
    try controller.performFetch()

    Note(context: context).title = "Mend the fence"
    context.processPendingChanges()
    print(list.lines)  // ["insert Mend the fence"]
    // end
    #expect(list.lines == ["insert Mend the fence"])
  }

  @Test("a delegate is notified of all changes at once")
  func differences() throws {
    let controller = controller()
    let table = NoteTable()
    controller.delegate = table
    try controller.performFetch()
    table.rows = controller.fetchedObjects?.map(\.objectID) ?? []
    Note(context: context).title = "Mend the fence"
    context.processPendingChanges()
    #expect(table.rows.count == 4)
    #expect(table.rows == controller.fetchedObjects?.map(\.objectID))
  }
}
