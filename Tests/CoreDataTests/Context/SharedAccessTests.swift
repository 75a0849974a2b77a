import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Properties that several threads read at once")
struct SharedAccessTests {
  @Test("a store's URL, identifier and coordinator can be read while another thread opens it")
  func relocation() async throws {
    let folder = try TemporaryFolder()
    let files = [folder.file("one.sqlite"), folder.file("other.sqlite")]
    var identifiers: [String] = []
    for file in files {
      let made = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let store = try made.addPersistentStore(type: .sqlite, at: file)
      identifiers.append(store.identifier)
      try made.remove(store)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: files[0])
    let known = Set(identifiers)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          (0..<5000).allSatisfy { index in
            coordinator.name = "name \(index)"
            return store.url.map(files.contains) == true && known.contains(store.identifier)
              && !store.isReadOnly && store.persistentStoreCoordinator === coordinator
              && coordinator.name?.hasPrefix("name ") == true
          }
        }
      }
      for index in 1...20 { #expect(coordinator.setURL(files[index % 2], for: store)) }
      for await isWhole in group { #expect(isWhole) }
    }
    try coordinator.remove(store)
  }

  @Test("an object's context is either valid or nil while another thread releases it")
  func context() async throws {
    let stack = try Stack(.inMemory)
    stack.note("a")
    try stack.save()
    for _ in 0..<50 {
      var context: NSManagedObjectContext? = NSManagedObjectContext(
        concurrencyType: .privateQueueConcurrencyType
      )
      context?.persistentStoreCoordinator = stack.coordinator
      let registry = try #require(context?.registry)
      await withCheckedContinuation { continuation in
        // This blocks its thread. The tasks of the tests share two threads, and must not wait for it.
        Thread {
          while let context = registry.context {
            if context.concurrencyType != .privateQueueConcurrencyType { break }
          }
          continuation.resume()
        }
        .start()
        context = nil
      }
      #expect(registry.context == nil)
    }
  }

  @Test("a store description is consistent while another thread changes it")
  func description() async {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a"))
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for index in 0..<5000 {
          description.setValue(NSNumber(value: index), forPragmaNamed: "cache_size")
          description.url = URL(fileURLWithPath: "/\(index)")
          description.timeout = Double(index)
        }
        return true
      }
      group.addTask {
        (0..<5000).allSatisfy { _ in
          let copy = description.copy() as? NSPersistentStoreDescription
          return copy?.url != nil && description.sqlitePragmas.count <= 1 && description.timeout >= 0
        }
      }
      for await isWhole in group { #expect(isWhole) }
    }
  }
}
