#if PostgreSQL
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// The types of the source and of the destination of a copy.
  struct CopyWay: Sendable, CustomTestStringConvertible {
    let from: StoreKind
    let to: StoreKind

    var testDescription: String { "\(from) to \(to)" }

    static let all = [
      CopyWay(from: .sqlite, to: .postgreSQL), CopyWay(from: .postgreSQL, to: .sqlite),
      CopyWay(from: .postgreSQL, to: .postgreSQL),
    ]
  }

  @Suite(
    "Copies of stores",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLCopyTests {
    private static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// Locations in a folder and on the server, which are removed afterwards.
    private final class Places {
      let folder: TemporaryFolder
      private var schemas: [URL] = []

      init() throws { folder = try TemporaryFolder() }

      func make(_ kind: StoreKind, _ name: String = "store") throws -> URL {
        let subfolder = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: true)
        let url = try #require(kind.place(in: subfolder))
        if kind.isPostgreSQL { schemas.append(url) }
        return url
      }

      deinit {
        for url in schemas { try? PostgreSQLStore.destroy(at: url, options: nil) }
      }
    }

    private func coordinator(
      _ kind: StoreKind,
      _ url: URL,
      _ model: NSManagedObjectModel = CopiedStore.model,
      options: [AnyHashable: Any]? = tracking
    ) throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: kind.storeType,
        configurationName: nil,
        at: url,
        options: options
      )
      return coordinator
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }

    private func isThere(_ kind: StoreKind, _ url: URL) -> Bool {
      (try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.storeType, at: url)) != nil
    }

    @Test("copies keep objects, keys, orders, metadata, identity and history", arguments: CopyWay.all)
    func exact(_ way: CopyWay) throws {
      let places = try Places()
      let (old, new) = (try places.make(way.from, "old"), try places.make(way.to, "new"))
      let coordinator = try coordinator(way.from, old)
      let store = try #require(coordinator.persistentStores.first)
      coordinator.setMetadata(store.metadata.merging(["app": "value"]) { $1 }, for: store)
      // A SQLite store keeps 15 digits of a decimal number.
      let price = way.to == .sqlite ? "-1234567890.12" : "-12345678901234567890123456.01"
      try CopiedStore.fill(context(coordinator), price: price)
      let (identity, lines) = (store.identifier, try CopiedStore.lines(coordinator))
      let history = try CopiedStore.history(context(coordinator))
      #expect(lines.count == 41 && history.count > 40)
      let copy = try coordinator.migratePersistentStore(
        store,
        to: new,
        options: Self.tracking,
        withType: way.to.storeType
      )
      #expect(coordinator.persistentStores == [copy])
      #expect(copy.identifier == identity)
      #expect(copy.metadata["app"] as? String == "value")
      #expect(copy.metadata[NSStoreTypeKey] as? String == way.to.storeType)
      #expect(try CopiedStore.lines(coordinator) == lines)
      #expect(try CopiedStore.history(context(coordinator)) == history)
      #expect(isThere(way.from, old))
    }

    @Test("copies assign new objects unused keys, and continue the history", arguments: CopyWay.all)
    func goingOn(_ way: CopyWay) throws {
      let places = try Places()
      let (old, new) = (try places.make(way.from, "old"), try places.make(way.to, "new"))
      let coordinator = try coordinator(way.from, old)
      let store = try #require(coordinator.persistentStores.first)
      try CopiedStore.fill(context(coordinator))
      let history = try CopiedStore.history(context(coordinator))
      let keys = try Set(CopiedStore.lines(coordinator).map { $0.split(separator: " ")[1] })
      try coordinator.migratePersistentStore(
        store,
        to: new,
        options: Self.tracking,
        withType: way.to.storeType
      )
      let context = context(coordinator)
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue("Later", forKey: "name")
      try context.save()
      let key = thing.objectID.uriRepresentation().lastPathComponent.dropFirst()
      // The deleted object with the greatest key had the key 40 under its root entity.
      #expect(!keys.contains(key) && (Int(key) ?? 0) > 40)
      #expect(thing.value(forKey: "folded") as? String == "later")
      let later = try CopiedStore.history(context)
      #expect(later.count == history.count + 2 && Array(later.prefix(history.count)) == history)
    }

    @Test("copies refuse a location with a store, which stays", arguments: CopyWay.all)
    func taken(_ way: CopyWay) throws {
      let places = try Places()
      let (old, new) = (try places.make(way.from, "old"), try places.make(way.to, "new"))
      let there = try coordinator(way.to, new)
      let other = context(there)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: other)
      try other.save()
      let coordinator = try coordinator(way.from, old)
      let store = try #require(coordinator.persistentStores.first)
      try CopiedStore.fill(context(coordinator))
      let error = try #require(throws: NSError.self) {
        try coordinator.migratePersistentStore(store, to: new, withType: way.to.storeType)
      }
      #expect(error.code == CocoaError.fileWriteFileExists.rawValue)
      #expect(coordinator.persistentStores == [store])
      #expect(try CopiedStore.lines(there).count == 1)
    }

    @Test("failed copies leave no store")
    func nothingHalfMade() throws {
      let places = try Places()
      let (old, new) = (try places.make(.sqlite, "old"), try places.make(.postgreSQL))
      let coordinator = try coordinator(.sqlite, old)
      let store = try #require(coordinator.persistentStores.first)
      let context = context(coordinator)
      try CopiedStore.fill(context)
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      shelf.setValue("a\0b", forKey: "title")
      try context.save()
      let error = try #require(throws: NSError.self) {
        try coordinator.migratePersistentStore(store, to: new, withType: NSPostgreSQLStoreType)
      }
      #expect(error.localizedDescription.contains("Shelf.title"))
      #expect(!isThere(.postgreSQL, new))
      #expect(coordinator.persistentStores == [store])
      shelf.setValue("ab", forKey: "title")
      try context.save()
      try coordinator.migratePersistentStore(store, to: new, withType: NSPostgreSQLStoreType)
    }

    @Test("a copy with an unreadable row leaves no store")
    func damaged() throws {
      let places = try Places()
      let (old, new) = (try places.make(.postgreSQL), try places.make(.sqlite))
      let coordinator = try coordinator(.postgreSQL, old)
      let store = try #require(coordinator.persistentStores.first as? PostgreSQLStore)
      try CopiedStore.fill(context(coordinator))
      let changed = try store.engine().connections.write {
        try $0.run("UPDATE base SET z_ent = 99 WHERE z_pk = 2 RETURNING z_pk").rowCount
      }
      #expect(changed == 1)
      #expect(throws: (any Error).self) {
        try coordinator.migratePersistentStore(store, to: new, withType: NSSQLiteStoreType)
      }
      #expect(coordinator.persistentStores == [store])
      let files = try FileManager.default.contentsOfDirectory(atPath: new.deletingLastPathComponent().path)
      #expect(files.isEmpty)
    }

    @Test("copies include the objects of other stores under new keys", arguments: [StoreKind.xml, .binary])
    func others(_ kind: StoreKind) throws {
      let places = try Places()
      let (old, new) = (try places.make(kind, "old"), try places.make(.postgreSQL))
      let back = try places.make(kind, "back")
      let coordinator = try coordinator(kind, old, TestModel.shared, options: nil)
      let context = context(coordinator)
      let note = context.note("a")
      for number in [3, 1, 2] {
        let page = Page(context: context)
        page.number = Int16(number)
        page.note = note
      }
      try context.save()
      func check() throws {
        let reading = self.context(coordinator)
        let notes = try reading.fetch(NSFetchRequest<Note>(entityName: "Note"))
        #expect(notes.map(\.title) == ["a"])
        #expect(notes.first?.pages.array.map { ($0 as? Page)?.number } == [3, 1, 2])
      }
      let store = try #require(coordinator.persistentStores.first)
      let moved = try coordinator.migratePersistentStore(store, to: new, withType: NSPostgreSQLStoreType)
      try check()
      try coordinator.migratePersistentStore(moved, to: back, withType: kind.storeType)
      try check()
      #expect(throws: (any Error).self) {
        let again = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
        let store = try again.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: back)
        try again.migratePersistentStore(store, to: new, withType: NSPostgreSQLStoreType)
      }
    }

    @Test("a copy can replace a store, which programs with the old one notice when they save")
    func replaced() throws {
      let places = try Places()
      let (one, other) = (try places.make(.postgreSQL), try places.make(.postgreSQL))
      let source = try coordinator(.postgreSQL, one)
      try CopiedStore.fill(context(source))
      let open = try coordinator(.postgreSQL, other)
      let late = context(open)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: late)
      try late.save()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CopiedStore.model)
      try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: one, type: .postgreSQL)
      _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: late)
      #expect(throws: (any Error).self) { try late.save() }
      let new = try self.coordinator(.postgreSQL, other)
      #expect(try CopiedStore.lines(new) == CopiedStore.lines(source))
      #expect(throws: (any Error).self) {
        let nowhere = try places.make(.postgreSQL)
        try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: nowhere, type: .postgreSQL)
      }
      #expect(try CopiedStore.lines(new) == CopiedStore.lines(source))
    }

    @Test("copies are made in pieces that fit into memory", arguments: [StoreKind.sqlite, .postgreSQL])
    func pieces(_ kind: StoreKind) throws {
      let places = try Places()
      let coordinator = try coordinator(kind, try places.make(kind))
      let context = context(coordinator)
      for number in 0..<10 {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(Data(repeating: UInt8(number), count: 3 << 20), forKey: "data")
      }
      try context.save()
      let store = try #require(coordinator.persistentStores.first as? any StreamableStore)
      let root = try #require(CopiedStore.model.entitiesByName["Base"])
      var counts: [Int] = []
      try store.streaming(as: 0) { contents in
        var last = Int64.min
        while true {
          let rows = try contents.rows(root: Int32(root.number), after: last)
          guard let key = rows.last?.row.key else { break }
          counts.append(rows.count)
          last = key
        }
      }
      #expect(counts.reduce(0, +) == 10)
      #expect(counts.allSatisfy { (1...3).contains($0) })
    }

    @Test("copies keep a history with more changes than a piece, complete and in order")
    func longHistory() throws {
      let places = try Places()
      let coordinator = try coordinator(.postgreSQL, try places.make(.postgreSQL))
      let context = context(coordinator)
      let counts = [1, 1500, 2, 700]
      for count in counts {
        for number in 0..<count {
          let object = NSEntityDescription.insertNewObject(forEntityName: "Base", into: context)
          object.setValue("\(count) \(number)", forKey: "name")
        }
        try context.save()
      }
      let store = try #require(coordinator.persistentStores.first as? any StreamableStore)
      var pieces: [[StreamedChange]] = []
      var middle: StreamedChange?
      try store.streaming(as: 0) { contents in
        var piece = try contents.changes(after: 0)
        while let last = piece.last {
          pieces.append(piece)
          piece = try contents.changes(after: last.number)
        }
        middle = try contents.changes(after: 1501).first
      }
      #expect(pieces.map(\.count) == [1000, 1000, 203])
      #expect(pieces.joined().map(\.number) == Array(1...2203))
      let transactions = counts.enumerated().flatMap { index, count in
        [Int64](repeating: Int64(index + 1), count: count)
      }
      #expect(pieces.joined().map(\.transaction) == transactions)
      #expect(middle?.number == 1502 && middle?.transaction == 3)
    }
  }
#endif
