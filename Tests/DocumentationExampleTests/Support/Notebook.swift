import CoreData
import Foundation
import TestSupport

/// A store for one example, with three notes, two authors and a tag that the example uses without creating them.
// Each test uses its objects on one thread at a time.
final class Notebook: @unchecked Sendable {
  let folder: TestFolder
  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  /// The notes "Prune the apple tree" by Ines, pinned, with the tag "garden"; "Sow the peas" by Ines; and "Order compost"
  /// without an author. Tomas has written no note.
  let notes: [Note]

  /// - Parameter type: the type of the store; in memory by default, and a file type if the example needs a file.
  init(_ type: String = NSInMemoryStoreType) throws {
    folder = try TestFolder()
    container = NSPersistentContainer(name: "Notes", managedObjectModel: ExampleModel.shared)
    let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Notebook.sqlite"))
    description.type = type
    if type == NSSQLiteStoreType {
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    } else {
      description.url = nil
    }
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    context = container.newBackgroundContext()
    notes = Self.insertNotes(into: context)
    try context.save()
  }

  deinit {
    for store in container.persistentStoreCoordinator.persistentStores {
      try? container.persistentStoreCoordinator.remove(store)
    }
  }

  /// A day in March 2026.
  static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_772_280_000 + 86_400 * Double(number))
  }

  private static func insertNotes(into context: NSManagedObjectContext) -> [Note] {
    let (ines, tomas, garden) = (Author(context: context), Author(context: context), Tag(context: context))
    ines.name = "Ines"
    tomas.name = "Tomas"
    garden.name = "garden"
    let notes = ["Prune the apple tree", "Sow the peas", "Order compost"].enumerated().map { number, title in
      let note = Note(context: context)
      note.title = title
      note.createdAt = day(8 + number)
      note.rating = [5, 3, 1][number]
      return note
    }
    notes[0].isPinned = true
    notes[0].author = ines
    notes[0].tags = [garden]
    notes[1].author = ines
    return notes
  }
}

/// A suite whose examples use names without declaring them. The names for the blocks of guides are in
/// Scripts/checks/snippets/Assumed.swift.
protocol NotebookExamples: Sendable {
  var notebook: Notebook { get }
}

extension NotebookExamples {
  var container: NSPersistentContainer { notebook.container }
  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }
  var context: NSManagedObjectContext { notebook.context }
  var model: NSManagedObjectModel { ExampleModel.shared }
  var note: Note { notebook.notes[0] }
  var notes: [Note] { notebook.notes }
  /// A writable folder.
  var folder: URL { notebook.folder.url }

  /// The titles of all saved notes, sorted by date.
  func savedTitles() throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
      return try context.fetch(request).map(\.title)
    }
  }
}
