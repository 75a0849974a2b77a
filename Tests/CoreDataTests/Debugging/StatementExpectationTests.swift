import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Expected statements")
struct StatementExpectationTests {
  private static let types = [NSInMemoryStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

  /// A container with four notes, each in a category of its own.
  private func container(_ type: String, in folder: URL) async throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: TestModel.shared)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("store"))
    description.type = type
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    try await container.performBackgroundTask { context in
      for number in 0..<4 {
        let category = NSEntityDescription.insertNewObject(forEntityName: "Category", into: context)
        category.setValue("\(number)", forKey: "name")
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("\(number)", forKey: "title")
        note.setValue(category, forKey: "category")
      }
      try context.save()
    }
    return container
  }

  private static func names(_ keyPaths: [String], in context: NSManagedObjectContext) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = keyPaths
    return try context.fetch(request).filter { $0.value(forKeyPath: "category.name") != nil }.count
  }

  @Test(
    "work within the statement limit returns its result, and a loop over faults fails with its statements",
    arguments: types
  )
  func limit(type: String) async throws {
    let folder = try TestFolder()
    let container = try await container(type, in: folder.url)
    let count = try await expectStatements(atMost: 2, in: container) {
      try await container.performBackgroundTask { try Self.names(["category"], in: $0) }
    }
    #expect(count == 4)
    let error = await #expect(throws: StatementCountError.self) {
      try await expectStatements(atMost: 3, in: container) {
        try await container.performBackgroundTask { try Self.names([], in: $0) }
      }
    }
    #expect(error?.count == 5 && error?.limit == 3)
    #expect(error?.statements.first == "fetch of Note, 4 rows")
    #expect(error?.statements.dropFirst() == Array(repeating: "fault of Category, 1 row", count: 4)[...])
    let text = error?.localizedDescription ?? ""
    #expect(
      text.contains("StatementExpectationTests.swift:") && text.contains("\n  5. fault of Category, 1 row")
    )
  }

  @Test("nested expectations both count, and the previous monitor is restored afterwards")
  func nested() async throws {
    let folder = try TestFolder()
    let container = try await container(NSSQLiteStoreType, in: folder.url)
    let outer = await #expect(throws: StatementCountError.self) {
      try await expectStatements(atMost: 0, in: container) {
        try await expectStatements(atMost: 1, in: container) {
          _ = try await container.performBackgroundTask {
            try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
          }
        }
      }
    }
    #expect(outer?.statements == ["count of Note, 1 row"])
    #expect(container.persistentStoreCoordinator.monitoring.monitor == nil)
  }

  @Test("an error of the work is thrown as it is")
  func failure() async throws {
    let folder = try TestFolder()
    let container = try await container(NSInMemoryStoreType, in: folder.url)
    await #expect(throws: CancellationError.self) {
      try await expectStatements(atMost: 0, in: container) { throw CancellationError() }
    }
  }
}
