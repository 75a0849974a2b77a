import CoreData
import HTTPTypes
import TestModels
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

  @Test(
    "A deletion page names the objects that refer to a deleted object without an inverse, and says what becomes of it"
  )
  func withoutInverse() async throws {
    let model = BrowsedStore.notes
    let store = try BrowsedStore(model: model) { context in
      let note = BrowsedStore.insert("Note", ["title": "Milk"], in: context)
      for path in ["a.txt", "b.txt"] {
        _ = BrowsedStore.insert("Attachment", ["path": path, "subject": note], in: context)
      }
    }
    let page = try await store.page("/entity/Note/1/deletion")
    #expect(page.contains("<strong>2</strong> objects refer by <code><bdi>Attachment.subject</bdi></code>."))
    #expect(page.contains("The references would stay, and lead to nothing."))
    for key in [1, 2] { #expect(page.contains("<li><a href=\"/entity/Attachment/\(key)\">"), "\(key)") }
    #expect(page.contains("The object alone would be deleted.") && !page.contains("lose a reference"))
    // The reference of an attachment is its own: the note that it leads to loses nothing.
    let other = try await store.page("/entity/Attachment/1/deletion")
    #expect(other.contains("The object alone would be deleted."))
    #expect(!other.contains("What would stay") && !other.contains("Attachment.subject"))
  }

  @Test("A deletion page does not count objects that are deleted too among those that refer to a deleted object")
  func referringDeleted() async throws {
    let parent = makeEntity("Parent", makeAttribute("name"))
    let child = makeEntity("Child", makeAttribute("name"), makeRelationship("favorite", to: parent))
    let list = makeEntity("List", makeAttribute("name"), makeRelationship("members", to: parent, toMany: true))
    relate(parent, "children", isToMany: true, child, "parent", isToMany: false)
    parent.relationshipsByName["children"]?.deleteRule = .cascadeDeleteRule
    let store = try BrowsedStore(model: makeModel([parent, child, list])) { context in
      let parent = BrowsedStore.insert("Parent", ["name": "P"], in: context)
      _ = BrowsedStore.insert("Child", ["name": "C", "parent": parent, "favorite": parent], in: context)
      _ = BrowsedStore.insert("List", ["name": "L", "members": Set([parent])], in: context)
    }
    let page = try await store.page("/entity/Parent/1/deletion")
    #expect(page.contains("<strong>2</strong> objects would be deleted.") && !page.contains("Child.favorite"))
    #expect(page.contains("<strong>1</strong> object refers by <code><bdi>List.members</bdi></code>."))
    #expect(page.contains("The references would be deleted with the objects."))
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
