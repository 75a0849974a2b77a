import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("The history of seeded stores")
struct SeedHistoryTests {
  private struct Line: Equatable {
    let author: String?
    let context: String?
  }

  private func history(_ store: TestStore) throws -> [Line] {
    let context = store.newContext()
    return try context.performAndWait {
      let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
      let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
      return (transactions ?? []).map { Line(author: $0.author, context: $0.contextName) }
    }
  }

  private func store() throws -> TestStore {
    let store = try TestStore(.sqlite)
    try store.close()
    try store.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: store.url,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
    )
    return store
  }

  @Test("the persistent history names the seeds as the author", arguments: SeedWay.allCases)
  func author(way: SeedWay) throws {
    let store = try store()
    try way.seed(
      store,
      ["a.json": "{\"tags\": [{\"name\": \"a\"}]}", "b.json": "{\"tags\": [{\"name\": \"b\"}]}"]
    )
    #expect(Set(try history(store).map(\.author)) == ["a.json, b.json"])
    #expect(Set(try history(store).map(\.context)) == ["Seeder"])
  }

  @Test("the persistent history does not attribute a user's changes to the seed")
  func user() throws {
    let store = try store()
    let context = store.newContext()
    context.performUncheckedAndWait {
      context.transactionAuthor = "app"
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(
        "mine",
        forKey: "name"
      )
    }
    try Seeder(.data(Data("{\"tags\": [{\"name\": \"a\"}]}".utf8), name: "a.json")).runAndWait(with: context)
    #expect(try history(store) == [Line(author: "app", context: nil)])
    #expect(context.performAndWait { context.transactionAuthor } == "app")
    try Seeder(.data(Data("{\"tags\": [{\"name\": \"b\"}]}".utf8), name: "b.json")).runAndWait(with: context)
    #expect(try history(store).last == Line(author: "b.json", context: "Seeder"))
    #expect(context.performAndWait { context.transactionAuthor } == "app")
  }
}
