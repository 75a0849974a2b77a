import CoreData
import Foundation
import Testing

@testable import Notes

@Suite("Seeding in the background")
@MainActor
struct SeedOperationTests {
  private let manager: CoreDataManager
  private let folder: URL

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    manager = CoreDataManager(modelName: "Notes", folder: folder)
  }

  private func seed() async -> Bool {
    await withCheckedContinuation { continuation in
      let operation = SeedOperation(with: manager.mainManagedObjectContext) { success in
        continuation.resume(returning: success)
      }
      manager.operationQueue.addOperation(operation)
    }
  }

  @Test("the operation brings tags, categories and notes to the main context")
  func seeds() async throws {
    #expect(await seed())
    let context = manager.mainManagedObjectContext
    #expect(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 7)
    #expect(try context.count(for: NSFetchRequest<Notes.Category>(entityName: "Category")) == 8)
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 10)
    #expect(context.hasChanges)
  }

  @Test("every relationship is in place, and so is its inverse")
  func relationships() async throws {
    #expect(await seed())
    let notes = try NotesList(managedObjectContext: manager.mainManagedObjectContext).notes()
    let note = try #require(notes.first { $0.title == "Three Podcasts for Developers" })
    #expect(note.category?.name == "Xcode")
    #expect(note.category?.notes?.contains(note) == true)
    #expect(note.createdAt == Date(timeIntervalSince1970: 1_517_939_013))
    let tags = note.tags ?? []
    #expect(Set(tags.compactMap(\.name)) == ["Tips and Tricks", "Libraries", "Programming", "Apple"])
    #expect(tags.allSatisfy { $0.notes?.contains(note) == true })
    #expect(notes.allSatisfy { $0.category != nil && $0.tags?.isEmpty == false })
  }

  @Test("what is saved is there for the next launch")
  func persistence() async throws {
    #expect(await seed())
    manager.saveChanges()
    let expected = try NotesList(managedObjectContext: manager.mainManagedObjectContext).lines()

    let second = CoreDataManager(modelName: "Notes", folder: folder)
    let lines = try NotesList(managedObjectContext: second.mainManagedObjectContext).lines()
    #expect(lines == expected)
    #expect(lines.count == 10)
    #expect(lines.first == "2018-02-07  Getting Started With Core Data (Swift): Tips and Tricks")
  }

  @Test("a store that is to be destroyed is empty afterwards")
  func destroying() async throws {
    #expect(await seed())
    manager.saveChanges()

    let second = CoreDataManager(modelName: "Notes", folder: folder, destroyPersistentStore: true)
    #expect(try NotesList(managedObjectContext: second.mainManagedObjectContext).lines().isEmpty)
  }
}
