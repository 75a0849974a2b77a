#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "The history of a store in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLHistoryTests {
    @Test("a program that opened the store without the option cannot write after the history began")
    func begunByOthers() throws {
      let store = try TrackedStore(.postgreSQL)
      let before = NSManagedObjectContext(.privateQueue)
      before.persistentStoreCoordinator = try store.coordinator(nil)
      before.note("one")
      try before.save()
      let context = try store.context()
      // The history is still empty.
      before.note("two")
      try before.save()
      context.note("three")
      try context.save()
      before.note("four")
      let error = #expect(throws: NSError.self) { try before.save() }
      #expect(error?.localizedDescription.contains(NSPersistentHistoryTrackingKey) == true)
      #expect(throws: NSError.self) {
        try before.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest()))
      }
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 3)
      #expect(try context.changes().count == 1)
    }

    @Test("programs without the option are notified of changes after the history began")
    func watchedWithout() async throws {
      let store = try TrackedStore(.postgreSQL)
      let watching = try store.coordinator([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
      let posted = Posted(.NSPersistentStoreRemoteChange, by: watching)
      let context = try store.context()
      for number in 1...2 {
        context.note("new")
        try context.save()
        try await posted.wait(for: number)
        #expect(posted.count == number)
      }
    }
  }
#endif
