import CoreData
import HTTPTypes
import Testing

@Suite("The pages of deletions and of unreferenced objects")
struct DeletionPageTests {
  private static func fill(_ context: NSManagedObjectContext) {
    let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
    _ = BrowsedStore.insert("Person", ["name": "Nobody's"], in: context)
    for number in 0..<3 {
      _ = BrowsedStore.insert("Note", ["title": "Note \(number)", "author": ada], in: context)
    }
  }

  private static func store() throws -> BrowsedStore {
    let model = BrowsedStore.notes
    model.entitiesByName["Person"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    return try BrowsedStore(model: model, fill)
  }

  @Test("A deletion page lists all objects that would be deleted, and deletes nothing")
  func deletion() async throws {
    let store = try Self.store()
    let key = try await store.key(of: "Person", where: "name == 'Ada'")
    let page = try await store.page("/entity/Person/\(key)/deletion")
    #expect(page.contains("<strong>4</strong> objects would be deleted."))
    #expect(page.contains("<strong>3</strong> <bdi>Note</bdi>"))
    #expect(page.contains(", by <bdi>Person.notes</bdi>"))
    #expect(try await store.page("/entity/Note").contains("<strong>3</strong> objects"))
  }

  @Test("A deletion page says so if its rules come from another model than the store's")
  func otherModel() async throws {
    let store = try Self.store()
    let key = try await store.key(of: "Person", where: "name == 'Ada'")
    let path = "/entity/Person/\(key)/deletion"
    #expect(try await !store.page(path).contains("the store’s own"))
    let reduced = BrowsedStore.notes
    reduced.entitiesByName["Person"]?.properties.removeAll { $0.name == "photo" }
    let other = try BrowsedStore(store, model: reduced)
    let page = try await other.page(path)
    #expect(page.contains("These pages do not go by the store’s own model."))
    #expect(page.contains("By the delete rules of the model, which is not the store’s own."))
  }

  @Test("A deletion page of a deleted object says that it is gone")
  func gone() async throws {
    _ = try await Self.store().page("/entity/Person/77/deletion", status: .notFound)
  }

  @Test("The page of unreferenced objects lists the objects without references")
  func orphans() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Person/orphans")
    #expect(page.contains("Nobody&#39;s") && !page.contains("<bdi>Ada</bdi>"))
    #expect(page.contains("<bdi>Note.author</bdi>"))
  }
}
