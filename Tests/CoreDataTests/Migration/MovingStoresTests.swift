import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Moving stores")
struct MovingStoresTests {
  private func fill(_ stack: Stack) throws {
    let category = stack.category("c")
    let note = stack.note("a", category, tags: [stack.tag("x"), stack.tag("y")])
    note.setValue(Data(repeating: 7, count: 200_000), forKey: "body")
    for number in [3, 1, 2] {
      let page = Page(context: stack.context)
      page.number = Int16(number)
      page.note = note
    }
    try stack.save()
  }

  private func check(_ context: NSManagedObjectContext, _ stack: Stack) throws {
    let notes = try stack.fetch(Note.self, in: context)
    #expect(notes.map(\.title) == ["a"])
    #expect(Set(notes[0].tags.map(\.name)) == ["x", "y"])
    #expect(notes[0].category?.name == "c")
    #expect((notes[0].value(forKey: "body") as? Data)?.count == 200_000)
    #expect(notes[0].pages.array.map { ($0 as? Page)?.number } == [3, 1, 2])
  }

  @Test("moving a store copies all objects to another store type", arguments: [StoreKind.inMemory, .sqlite])
  func migrated(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try fill(stack)
    let store = try #require(stack.coordinator.persistentStores.first)
    let url = stack.folder.appendingPathComponent("moved.sqlite")
    let new = try stack.coordinator.migratePersistentStore(store, to: url, type: .sqlite)
    #expect(stack.coordinator.persistentStores == [new])
    #expect(new.url == url)
    try check(stack.newContext(), stack)
    let memory = try stack.coordinator.migratePersistentStore(
      new,
      to: URL(fileURLWithPath: "/dev/null"),
      type: .inMemory
    )
    #expect(stack.coordinator.persistentStores == [memory])
    try check(stack.newContext(), stack)
  }

  @Test("moving to an existing file is refused")
  func occupied() throws {
    let stack = try Stack(.sqlite)
    let store = try #require(stack.coordinator.persistentStores.first)
    let url = stack.folder.appendingPathComponent("there.sqlite")
    try Data("x".utf8).write(to: url)
    #expect(throws: (any Error).self) {
      try stack.coordinator.migratePersistentStore(store, to: url, type: .sqlite)
    }
    #expect(stack.coordinator.persistentStores == [store])
    #expect(try Data(contentsOf: url) == Data("x".utf8))
  }

  @Test("replacing a store copies the other one, including its log")
  func replaced() throws {
    let (old, new) = (try Stack(.sqlite), try Stack(.sqlite))
    old.note("old")
    try old.save()
    try fill(new)
    let urls = try [old, new].map { try #require($0.coordinator.persistentStores.first?.url) }
    try old.coordinator.replacePersistentStore(
      at: urls[0],
      withPersistentStoreFrom: urls[1],
      type: .sqlite
    )
    #expect(old.coordinator.persistentStores.isEmpty)
    try old.coordinator.addPersistentStore(type: .sqlite, at: urls[0])
    try check(old.newContext(), old)
    try check(new.newContext(), new)
    let files = try FileManager.default.contentsOfDirectory(atPath: old.folder.path)
    #expect(!files.contains { $0.contains("-store") && $0.hasPrefix(".") && !$0.hasSuffix("_SUPPORT") })
  }
}
