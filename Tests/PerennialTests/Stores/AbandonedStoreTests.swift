import CoreData
import Files
import Foundation
import Testing

@testable import PerennialCommands

@Suite("A store that a command has made, and fails to fill")
struct AbandonedStoreTests {
  private struct Failure: Error {}

  private let file: URL
  private let model: NSManagedObjectModel

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("Notes.sqlite")
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = [title]
    model = NSManagedObjectModel()
    model.entities = [note]
  }

  @Test("a new store that a command fails to fill is removed")
  func removed() throws {
    try OpenedStore(writing: StoreLocation(path: file.path), model: model).abandon(after: Failure())
    #expect(FileKind(at: file.path) == .nothing)
  }

  @Test("a new store that a command fails to fill stays if another program has saved into it")
  func usedByOthers() throws {
    let opened = try OpenedStore(writing: StoreLocation(path: file.path), model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
        "theirs",
        forKey: "title"
      )
      try context.save()
    }
    opened.abandon(after: Failure())
    #expect(
      try context.performAndWait {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      } == 1
    )
    try coordinator.remove(store)
    #expect(FileKind(at: file.path) == .regular)
  }
}
