import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The limits that hold in every store with query generations. Those of SQLite's log have a suite of their own.
@Suite("The number and the age of query generations")
struct QueryGenerationBoundTests {
  /// A store with a note.
  private final class Opened {
    let folder: TemporaryFolder
    let place: URL
    let kind: StoreKind
    let coordinator: NSPersistentStoreCoordinator
    private(set) var contexts: [NSManagedObjectContext] = []

    init(_ kind: StoreKind, _ options: [AnyHashable: Any] = [:]) throws {
      self.kind = kind
      folder = try TemporaryFolder()
      place = try #require(kind.place(in: folder.url))
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      try coordinator.addPersistentStore(
        ofType: kind.storeType,
        configurationName: nil,
        at: place,
        options: options
      )
      try save("old")
    }

    deinit {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
      if kind.isPostgreSQL { try? coordinator.destroyPersistentStore(at: place, ofType: kind.storeType) }
    }

    func context() -> NSManagedObjectContext {
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      contexts.append(context)
      return context
    }

    func pinned() throws -> NSManagedObjectContext {
      let context = context()
      try context.setQueryGenerationFrom(.current)
      return context
    }

    func save(_ title: String) throws {
      let writer = context()
      writer.note(title)
      try writer.save()
    }
  }

  private func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
  }

  private func requireEnded(_ context: NSManagedObjectContext, _ opened: Opened, _ parts: String...) throws {
    let error = try #require(#expect(throws: NSError.self) { try count(context) })
    #expect(error.code == NSPersistentStoreOperationError)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == opened.place.storeName)
    let place = opened.kind.isPostgreSQL ? opened.place.absoluteString : opened.place.path
    for part in parts + [place, "setQueryGenerationFrom(.current)"] {
      #expect(error.localizedDescription.contains(part), "\(part) in \(error.localizedDescription)")
    }
  }

  @Test("an option limits the number of generations: the oldest ends", arguments: StoreKind.sharedByPrograms)
  func number(_ kind: StoreKind) throws {
    let opened = try Opened(kind, [QueryGenerationCountLimitOption: 2])
    let contexts = try (0..<4).map { number in
      let context = try opened.pinned()
      try opened.save("new \(number)")
      return context
    }
    for context in contexts.prefix(2) {
      try requireEnded(context, opened, "more than 2 generations", QueryGenerationCountLimitOption)
    }
    #expect(try count(contexts[2]) == 3)
    #expect(try count(contexts[3]) == 4)
    try contexts[0].setQueryGenerationFrom(.current)
    #expect(try count(contexts[0]) == 5)
    try requireEnded(contexts[2], opened, "more than 2 generations")
    #expect(try count(contexts[3]) == 4)
  }

  @Test(
    "a generation that contexts share counts once, and a released one does not count",
    arguments: StoreKind.sharedByPrograms
  )
  func sharing(_ kind: StoreKind) throws {
    let opened = try Opened(kind, [QueryGenerationCountLimitOption: 2])
    let first = try opened.pinned()
    for _ in 0..<4 { try opened.context().setQueryGenerationFrom(first.queryGenerationToken) }
    for _ in 0..<4 { try opened.pinned().setQueryGenerationFrom(nil) }
    try opened.save("new")
    #expect(try count(first) == 1)
    let second = try opened.pinned()
    #expect(try count(first) == 1)
    #expect(try count(second) == 2)
  }

  @Test(
    "the limit is 16 generations in PostgreSQL, each with a connection, and unlimited in SQLite",
    arguments: StoreKind.sharedByPrograms
  )
  func standard(_ kind: StoreKind) throws {
    let opened = try Opened(kind)
    let contexts = try (0..<17).map { _ in try opened.pinned() }
    for context in contexts.dropFirst() { #expect(try count(context) == 1) }
    if kind.isPostgreSQL {
      try requireEnded(contexts[0], opened, "more than 16 generations")
    } else {
      #expect(try count(contexts[0]) == 1)
    }
    let unbounded = try Opened(kind, [QueryGenerationCountLimitOption: 0])
    for context in try (0..<17).map({ _ in try unbounded.pinned() }) { #expect(try count(context) == 1) }
  }

  @Test("a generation older than an option allows ends", arguments: StoreKind.sharedByPrograms)
  func age(_ kind: StoreKind) async throws {
    let opened = try Opened(kind, [QueryGenerationAgeLimitOption: 0.001])
    let context = try opened.pinned()
    // SQLite's generation is checked after a save; PostgreSQL's ends automatically.
    for _ in 0..<6000 where (try? count(context)) != nil {
      try await Task.sleep(for: .milliseconds(10))
      if !kind.isPostgreSQL { try opened.save("new") }
    }
    try requireEnded(context, opened, "has been pinned for", QueryGenerationAgeLimitOption)
    let young = try Opened(kind, [QueryGenerationAgeLimitOption: 86_400])
    let other = try young.pinned()
    try young.save("new")
    #expect(try count(other) == 1)
  }

  @Test(
    "each generation ends, however soon its time is over",
    arguments: StoreKind.sharedByPrograms.filter(\.isPostgreSQL)
  )
  func soon(_ kind: StoreKind) async throws {
    let opened = try Opened(kind, [QueryGenerationAgeLimitOption: 1e-9])
    for _ in 0..<Soak.rounds(60) {
      let context = try opened.pinned()
      for _ in 0..<6000 where (try? count(context)) != nil { try await Task.sleep(for: .milliseconds(10)) }
      try #require(throws: NSError.self) { try count(context) }
    }
  }

  @Test("limits of generations must be numbers from 0 on", arguments: StoreKind.sharedByPrograms)
  func wrongOptions(_ kind: StoreKind) throws {
    let wrong: [(String, Any)] = [
      (QueryGenerationCountLimitOption, "many"), (QueryGenerationCountLimitOption, -1),
      (QueryGenerationAgeLimitOption, Double.nan),
    ]
    for (option, value) in wrong {
      let error = #expect(throws: NSError.self) { try Opened(kind, [option: value]) }
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(error?.localizedDescription.contains(option) == true)
    }
    _ = try Opened(
      kind,
      [QueryGenerationCountLimitOption: Double.infinity, QueryGenerationAgeLimitOption: Double.infinity]
    )
  }

  @Test(
    "a token of an ended generation is refused, and a save continues with the newest state",
    arguments: StoreKind.sharedByPrograms
  )
  func token(_ kind: StoreKind) throws {
    let opened = try Opened(kind, [QueryGenerationCountLimitOption: 1])
    let context = try opened.pinned()
    let token = try #require(context.queryGenerationToken)
    let next = try opened.pinned()
    let other = opened.context()
    #expect(throws: NSError.self) { try other.setQueryGenerationFrom(token) }
    #expect(other.queryGenerationToken == nil)
    context.note("mine")
    try context.save()
    #expect(try count(context) == 2)
    try requireEnded(next, opened, "more than 1 generations")
  }
}
