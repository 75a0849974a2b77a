#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Batch insertion by COPY",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct CopyDataTests {
    private static let decimals = [
      "0", "1", "-1", "9999", "10000", "0.0001", "-0.00010", "12345.6789", "100000000", "0.00000001",
      "99999999999999999999999999999999999999", "-0.1", "10000000000000000000000000000000000000",
    ]

    @Test("COPY writes every type of value as statements do", arguments: ["", "binaryCopy"])
    func values(without: String) throws {
      let stack = try Stack(.postgreSQL)
      let url = try #require(stack.coordinator.persistentStores.first?.url)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let options = without.isEmpty ? nil : [PostgreSQLDisabledCapabilitiesOption: [without]]
      try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let identifier = UUID()
      let rows = Self.decimals.map { decimal -> [String: Any] in
        [
          "title": "a \"b\" \\ \(decimal)", "rating": Int64.min,
          "createdAt": Date(timeIntervalSinceReferenceDate: 0.1),
          "isPinned": true, "small": Int16.min, "medium": Int32.min, "ratio": -Double.infinity,
          "share": Float(0.1),
          "price": NSDecimalNumber(string: decimal), "body": Data([0, 255, 10]), "identifier": identifier,
          "link": URL(string: "https://example.com/ü") as Any,
        ]
      }
      let request = NSBatchInsertRequest(entityName: "Note", objects: rows + [["title": "empty"]])
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      #expect((result?.result as? [NSManagedObjectID])?.count == rows.count + 1)
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      #expect(notes.count == rows.count + 1)
      for note in notes where note.title != "empty" {
        let decimal = try #require(note.title?.split(separator: " ").last.map(String.init))
        #expect(note.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: decimal))
        #expect(note.rating == .min && note.value(forKey: "small") as? Int16 == .min)
        #expect(note.createdAt == Date(timeIntervalSinceReferenceDate: 0.1))
        #expect(note.value(forKey: "isPinned") as? Bool == true)
        #expect(note.value(forKey: "ratio") as? Double == -.infinity)
        #expect(note.value(forKey: "body") as? Data == Data([0, 255, 10]))
        #expect(note.value(forKey: "identifier") as? UUID == identifier)
      }
      let empty = try #require(notes.first { $0.title == "empty" })
      #expect(empty.rating == 3 && empty.value(forKey: "price") == nil)
    }

    @Test("COPY inserts more rows than one command takes, and none of them if one is wrong")
    func many() throws {
      let stack = try Stack(.postgreSQL)
      var number = 0
      func request(_ count: Int, wrongAt wrong: Int? = nil) -> NSBatchInsertRequest {
        number = 0
        return NSBatchInsertRequest(
          entityName: "Tag",
          dictionaryHandler: { row in
            if number == count { return true }
            row["name"] = number == wrong ? "a\0b" : "tag \(number)"
            number += 1
            return false
          }
        )
      }
      try stack.context.execute(request(25_000))
      #expect(try stack.context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 25_000)
      #expect(throws: (any Error).self) { try stack.context.execute(request(25_000, wrongAt: 24_000)) }
      #expect(try stack.context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 25_000)
    }
  }
#endif
