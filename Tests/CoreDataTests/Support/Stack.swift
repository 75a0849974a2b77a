import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The kinds of stores in which the conformance suites run. All of them must behave alike.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inMemory
  case sqlite
  case childOfInMemory
  case childOfSQLite
  case xml
  case binary
  /// An application's own atomic store.
  case atomic
  /// An application's own incremental store, which has no optimistic locking.
  case incremental
  case postgreSQL
  case childOfPostgreSQL

  /// All kinds. PostgreSQL is included if the environment names a server: see Scripts/postgresql.
  static let allCases: [StoreKind] =
    [.inMemory, .sqlite, .childOfInMemory, .childOfSQLite, .xml, .binary, .atomic, .incremental]
    + (postgreSQLServer == nil ? [] : [.postgreSQL, .childOfPostgreSQL])

  /// The URL of the server in the environment.
  static var postgreSQLServer: String? { ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"] }

  /// The URL of the server itself, if the other URL is that of a pooler in front of it.
  static var directPostgreSQLServer: String? {
    ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_DIRECT"] ?? postgreSQLServer
  }

  var testDescription: String { rawValue }
  var isChild: Bool { self == .childOfInMemory || self == .childOfSQLite || self == .childOfPostgreSQL }
  var isSQLite: Bool { self == .sqlite || self == .childOfSQLite }

  /// The two stores that most programs use, and a child context of each. What Apple documents about contexts and objects must
  /// hold in all four.
  static let storesAndChildren: [StoreKind] =
    [.inMemory, .sqlite, .childOfInMemory, .childOfSQLite]
    + allCases.filter { $0 == .postgreSQL || $0 == .childOfPostgreSQL }

  /// The stores that several programs may have open at the same time.
  static let sharedByPrograms = [StoreKind.sqlite] + allCases.filter { $0 == .postgreSQL }

  /// The stores that support batch requests: only SQLite on Apple's platforms, and all but an application's own stores here.
  static let takingBatches = allCases.filter { $0 != .atomic && $0 != .incremental }

  /// The stores that compute derived attributes and enforce uniqueness constraints. An application's incremental store is
  /// responsible for both itself.
  static let keepingRules = allCases.filter { $0 != .incremental }

  /// The stores that translate requests into SQL.
  static let inSQL = allCases.filter { $0 == .sqlite || $0 == .postgreSQL }

  /// The type of the store.
  var storeType: String {
    switch self {
    case .inMemory, .childOfInMemory: NSInMemoryStoreType
    case .sqlite, .childOfSQLite: NSSQLiteStoreType
    case .xml: NSXMLStoreType
    case .binary: NSBinaryStoreType
    case .atomic: AtomicTestStore.storeType
    case .incremental: IncrementalTestStore.storeType
    case .postgreSQL, .childOfPostgreSQL: "PostgreSQL"
    }
  }

  var isPostgreSQL: Bool { self == .postgreSQL || self == .childOfPostgreSQL }

  /// The databases of the server over which the stores are distributed; empty for the one in its URL. The server creates one
  /// collation per database at a time, and so one store at a time.
  private static let databases =
    (ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_DATABASES"] ?? "").split(separator: " ")

  /// The URL of a database of the server; for `nil`, the database in the server's URL.
  private static func server(with database: Substring?) -> String? {
    guard let postgreSQLServer, let database, var parts = URLComponents(string: postgreSQLServer) else {
      return postgreSQLServer
    }
    parts.path = "/\(database)"
    return parts.string
  }

  /// A location for a new store; `nil` for a store in memory.
  func place(in folder: URL) -> URL? {
    if storeType == NSInMemoryStoreType { return nil }
    if isPostgreSQL, let server = Self.server(with: Self.databases.randomElement()) {
      let schema = TestSchema.newName()
      // The capabilities that a run of the tests does not use: PERENNIAL_POSTGRESQL_WITHOUT=listen,folding
      let without = ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_WITHOUT"]
      return URL(string: "\(server)?schema=\(schema)\(without.map { "&without=\($0)" } ?? "")")
    }
    return folder.appendingPathComponent(isSQLite ? "store.sqlite" : "store")
  }

  /// Registers the store classes of the tests, once.
  static let registersOwnStores: Bool = {
    NSPersistentStoreCoordinator.registerStoreClass(
      AtomicTestStore.self,
      forStoreType: AtomicTestStore.storeType
    )
    NSPersistentStoreCoordinator.registerStoreClass(
      IncrementalTestStore.self,
      forStoreType: IncrementalTestStore.storeType
    )
    return true
  }()
}

/// A coordinator with one store, and a context on it or a child of that context.
// Each test uses it on one thread at a time.
final class Stack: @unchecked Sendable {
  let kind: StoreKind
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  let folder: URL
  private let place: URL?
  /// The recorder of the statements that SQLite executes for the stack, if they are recorded.
  let recorder: StatementRecorder?
  /// Retains the contexts, because objects do not.
  private var contexts: [NSManagedObjectContext] = []

  /// - Parameter recorded: the details that are recorded of each executed statement; nothing is recorded by default.
  init(
    _ kind: StoreKind,
    model: NSManagedObjectModel = TestModel.shared,
    recording recorded: StatementDetails? = nil
  ) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    recorder = recorded.map { [folder] in StatementRecorder(folder, details: $0) }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = StoreKind.registersOwnStores
    place = kind.place(in: folder)
    try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: place)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    if kind.isChild {
      let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      parent.persistentStoreCoordinator = coordinator
      context.parent = parent
    } else {
      context.persistentStoreCoordinator = coordinator
    }
  }

  deinit {
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
    if let place, kind.isPostgreSQL {
      try? coordinator.destroyPersistentStore(at: place, ofType: kind.storeType)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Saves the context, and then its parent.
  func save() throws {
    try context.save()
    try context.parent?.save()
  }

  /// The statements on rows that a closure executes, for a stack that records them.
  func executed(_ work: () throws -> Void) throws -> [SQLStatement] {
    try #require(recorder).rowStatements(of: work).map(\.asPlanned)
  }

  /// Another context, which has only the saved state.
  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    contexts.append(context)
    return context
  }

  /// Another context on the parent of the stack's context, or on the coordinator if it has no parent.
  func sibling() -> NSManagedObjectContext {
    guard let parent = context.parent else { return newContext() }
    let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sibling.parent = parent
    contexts.append(sibling)
    return sibling
  }

  func fetch<Object: NSManagedObject>(
    _ type: Object.Type,
    _ format: String? = nil,
    _ arguments: [Any?] = [],
    sort: [NSSortDescriptor] = [],
    in context: NSManagedObjectContext? = nil
  ) throws -> [Object] {
    let request = NSFetchRequest<Object>(entityName: "\(Object.self)")
    if let format { request.predicate = try NSPredicate(parsing: format, arguments: arguments) }
    request.sortDescriptors = sort
    return try (context ?? self.context).fetch(request)
  }

  @discardableResult
  func note(_ title: String, rating: Int64 = 3, _ category: Category? = nil, tags: Set<Tag> = []) -> Note {
    let note = Note(context: context)
    note.title = title
    note.rating = rating
    note.category = category
    note.tags = tags
    return note
  }

  func category(_ name: String) -> Category {
    let category = Category(context: context)
    category.name = name
    return category
  }

  func tag(_ name: String) -> Tag {
    let tag = Tag(context: context)
    tag.name = name
    return tag
  }
}

extension NSSortDescriptor {
  static var byTitle: NSSortDescriptor { NSSortDescriptor(key: "title", ascending: true) }
  static var byName: NSSortDescriptor { NSSortDescriptor(key: "name", ascending: true) }
}
