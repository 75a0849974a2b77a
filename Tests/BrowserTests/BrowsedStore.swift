import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestModels
import TestSupport
import Testing

@testable import Browser

/// A store with people and their notes, and the server of its pages.
final class BrowsedStore: Sendable {
  /// A token whose pages are at the root, so that the tests name their paths. ``RandomPathTests`` has random paths.
  static let token = SessionToken("0123456789abcdef0123456789abcdef", base: "")
  let container: TestFolder
  let coordinator: NSPersistentStoreCoordinator
  let server: BrowserServer
  private let start = Mutex<Task<RunningApplication, any Error>?>(nil)

  /// - Parameters:
  ///   - countLimit: the time limit for counts that pages can omit. By default pages have all counts and neighbors, also on
  ///     a slow machine; with zero they omit them.
  ///   - fill: makes the objects of the store.
  init(
    type: String = NSSQLiteStoreType,
    model: NSManagedObjectModel = BrowsedStore.notes,
    limits: BrowserServer.ConnectionLimits = BrowsedStore.patientLimits,
    options: [AnyHashable: Any]? = nil,
    counterparts: StoreBrowser.Counterparts = StoreBrowser.Counterparts(),
    allowsWriting: Bool = false,
    timeLimit: Duration = .seconds(600),
    countLimit: Duration = .seconds(3_600),
    _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    container = try TestFolder()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = container.url.appendingPathComponent("Notes.store")
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    nonisolated(unsafe) let fill = fill
    try context.performAndWait {
      try fill(context)
      try context.save()
    }
    server = try BrowserServer(
      coordinator,
      name: "Notes.store",
      port: 0,
      token: Self.token,
      limits: limits,
      counterparts: counterparts,
      allowsWriting: allowsWriting,
      timeLimit: timeLimit,
      countLimit: countLimit
    )
  }

  /// The same store, opened read-only with another model.
  init(_ other: BrowsedStore, model: NSManagedObjectModel) throws {
    container = other.container
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: container.url.appendingPathComponent("Notes.store"),
      options: [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
    )
    server = try BrowserServer(coordinator, name: "Notes.store", port: 0, token: Self.token)
  }

  /// Limits that never end an idle connection: a busy machine may read a request late, and the client could not tell that the
  /// server has closed the connection.
  static var patientLimits: BrowserServer.ConnectionLimits {
    var limits = BrowserServer.ConnectionLimits()
    limits.idle = .seconds(86_400)
    return limits
  }

  /// Notes with an author, tags, and a file that refers to a note without an inverse.
  static var notes: NSManagedObjectModel {
    let person = makeEntity("Person", makeAttribute("name"), makeAttribute("photo", .binaryDataAttributeType))
    let tag = makeEntity("Tag", makeAttribute("name"))
    let note = makeEntity(
      "Note",
      makeAttribute("title"),
      makeAttribute("rating", .integer32AttributeType),
      makeAttribute("weight", .doubleAttributeType),
      makeAttribute("price", .decimalAttributeType),
      makeAttribute("createdAt", .dateAttributeType),
      makeAttribute("isPinned", .booleanAttributeType),
      makeAttribute("identifier", .UUIDAttributeType)
    )
    let attachment = makeEntity("Attachment", makeAttribute("path"), makeRelationship("subject", to: note))
    relate(note, "author", isToMany: false, person, "notes", isToMany: true)
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    return makeModel([person, tag, note, attachment])
  }

  /// Changes the first note, or the first one with a rating, in a context of its own, and saves the change.
  func change(by author: String, rating: Int? = nil, _ work: (NSManagedObject) -> Void) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    nonisolated(unsafe) let work = work
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = rating.map { NSPredicate(format: "rating == %ld", $0) }
      work(try #require(try context.fetch(request).first))
      try context.save()
    }
  }

  /// The response to a request that carries the cookie of a signed-in browser.
  func get(_ path: String) async throws -> TestResponse {
    try await ask(path, headers: [.cookie: Self.cookie])
  }

  /// The text of the page at a path.
  func page(_ path: String, status: HTTPResponse.Status = .ok) async throws -> String {
    let response = try await get(path)
    #expect(response.status == status, "\(path)")
    return String(buffer: response.body)
  }

  func ask(
    _ path: String,
    method: HTTPRequest.Method = .get,
    headers: HTTPFields = [:],
    body: String? = nil
  ) async throws -> TestResponse {
    try await running().client.execute(
      uri: path,
      method: method,
      headers: headers,
      body: body.map { ByteBuffer(string: $0) }
    )
  }

  /// The server, which the first request starts, and which runs until the store is released.
  private func running() async throws -> RunningApplication {
    let server = server
    let start = start.withLock { start in
      let task = start ?? Task { try await RunningApplication(server.application()) }
      start = task
      return task
    }
    return try await start.value
  }

  static var cookie: String { String(token.cookie.prefix { $0 != ";" }) }

  static func insert(
    _ entity: String,
    _ values: [String: Any?] = [:],
    in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }
}
