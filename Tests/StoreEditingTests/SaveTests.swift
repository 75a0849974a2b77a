import CoreData
import Dispatch
import Foundation
import Seeding
import StoreExploration
import Synchronization
import TestSupport
import Testing

@testable import StoreEditing

@Suite("Saves of staged changes")
struct SaveTests {
  @Test(
    "a save that violates the model names the object and the property, and loses nothing",
    arguments: EditedKind.allCases
  )
  func invalid(kind: EditedKind) async throws {
    let model = EditedStore.model
    model.entitiesByName["Recipe"]?.relationshipsByName["book"]?.isOptional = false
    let store = try EditedStore(kind, model: model)
    let new = try await store.session.create("Recipe", inputs: ["title": FieldInput("Soup")])
    let other = try await store.session.create("Recipe", inputs: ["title": FieldInput("Stew")])
    let invalid = try await store.session.save().invalid
    #expect(Set(invalid.compactMap(\.object?.object)) == [new, other])
    #expect(invalid.allSatisfy { $0.property == "book" })
    #expect(store.session.summary.count == 2)
    let book = try store.insert("Book", ["name": "Basics"])
    for recipe in [new, other] { try await store.session.edit("book", of: recipe, edit: .set(book)) }
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Recipe") == 2)
  }

  @Test("a save has an author in the store's history")
  func author() async throws {
    let store = try EditedStore(options: [NSPersistentHistoryTrackingKey: true])
    _ = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    #expect(try await store.session.save().isSaved)
    let identifier = store.coordinator.persistentStores.first?.identifier
    let timeline = Timeline(in: store.coordinator, storeIdentifier: identifier)
    #expect(try await timeline.authors(within: .seconds(3_600)).contains("perennial browse"))
  }

  @Test("a save cannot be undone")
  func noUndo() async throws {
    let store = try EditedStore()
    _ = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    #expect(try await store.session.save().isSaved)
    #expect(store.session.summary == StagedSummary())
    #expect(try await store.session.undo() == nil)
  }

  @Test("edits of a read-only store are refused before anything is staged")
  func readOnly() throws {
    let store = try EditedStore()
    let url = try #require(store.coordinator.persistentStores.first?.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EditedStore.model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: url,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    let failure = #expect(throws: EditingFailure.self) { _ = try EditingSession(coordinator) }
    #expect(failure?.code == .readOnlyStore && failure?.problem.contains(url.path) == true)
    let empty = NSPersistentStoreCoordinator(managedObjectModel: EditedStore.model)
    #expect(throws: EditingFailure.self) { _ = try EditingSession(empty) }
  }
}

@Suite("Seeds in a session")
struct SeedTests {
  private static let seed = Data(#"{"books": [{"name": "Basics"}, {"name": "More"}]}"#.utf8)

  @Test("a seed shows what it would change, and then changes it", arguments: EditedKind.allCases)
  func takeIn(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    _ = try store.insert("Book", ["name": "Basics"])
    let preview = try await store.session.preview(ofSeed: Self.seed)
    #expect(preview.report.total.created == 1 && preview.report.total.unchanged == 1)
    #expect(try store.count("Book") == 1)
    #expect(try await store.session.takeIn(seed: Self.seed).total.created == 1)
    #expect(try store.count("Book") == 2)
  }

  @Test("importing a seed keeps edits that are staged meanwhile")
  func meanwhile() async throws {
    let store = try EditedStore()
    let hasStaged = Mutex(false)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: nil,
      queue: nil
    ) { notification in
      let context = notification.object as? NSManagedObjectContext
      guard context?.persistentStoreCoordinator === store.coordinator, hasStaged.withLock({ !$0 }) else {
        return
      }
      hasStaged.withLock { $0 = true }
      let end = DispatchSemaphore(value: 0)
      Task.detached {
        _ = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
        end.signal()
      }
      end.wait()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    #expect(try await store.session.takeIn(seed: Self.seed).total.created == 2)
    #expect(hasStaged.withLock { $0 })
    #expect(store.session.summary.count == 1)
    _ = try await store.session.save()
    #expect(try store.count("Tag") == 1)
  }

  @Test("an invalid seed is reported with its position")
  func wrong() async throws {
    let store = try EditedStore()
    let error = await #expect(throws: SeedError.self) {
      _ = try await store.session.preview(ofSeed: Data("{\"books\": [\n{\"nam\": 1}]}".utf8))
    }
    #expect(error?.position?.line == 2)
  }

  @Test("a seed is refused while anything is staged")
  func staged() async throws {
    let store = try EditedStore()
    _ = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    let failure = await #expect(throws: EditingFailure.self) {
      _ = try await store.session.preview(ofSeed: Self.seed)
    }
    #expect(failure?.code == .unsavedChanges)
    await #expect(throws: EditingFailure.self) { _ = try await store.session.takeIn(seed: Self.seed) }
  }

  @Test("a seed cannot refer to files")
  func files() async throws {
    let store = try EditedStore()
    let seed = Data(#"{"recipes": [{"title": "x", "picture": {"$file": "/etc/hostname"}}]}"#.utf8)
    await #expect(throws: SeedError.self) { _ = try await store.session.preview(ofSeed: seed) }
  }
}
