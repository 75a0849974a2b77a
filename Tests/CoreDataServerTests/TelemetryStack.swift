import CoreData
import CoreDataServer
import Foundation
import InMemoryTracing
import MetricsTestKit
import TestModels
import TestSupport

/// A container with one SQLite store, which reports its work to its own metrics and tracer.
struct TelemetryStack {
  let folder: TestFolder
  let metrics = TestMetrics()
  let tracer = InMemoryTracer()
  let container: NSPersistentContainer
  let telemetry: StoreTelemetry

  /// - Parameters:
  ///   - file: the store's file; by default, a file in the folder.
  ///   - attributes: the optional text attributes of the entity `Note` in addition to `title`. Their values differ.
  init(in folder: TestFolder? = nil, at file: URL? = nil, attributes: [String] = ["text"]) throws {
    let folder = try folder ?? TestFolder()
    self.folder = folder
    let title = makeAttribute("title")
    title.setValidationPredicates(
      [NSPredicate(format: "length <= 1000")],
      withValidationWarnings: ["too long"]
    )
    let note = makeEntity("Note", title, makeAttribute("count", .integer64AttributeType))
    note.properties += attributes.map { makeAttribute($0) }
    note.uniquenessConstraints = [["title"]]
    let tag = makeEntity("Tag", makeAttribute("name"))
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    container = NSPersistentContainer(name: "Notes", managedObjectModel: makeModel([note, tag]))
    telemetry = StoreTelemetry(name: "notes", metrics: metrics, tracer: tracer)
    telemetry.attach(to: container.persistentStoreCoordinator)
    let description = NSPersistentStoreDescription(
      url: file ?? folder.url.appendingPathComponent("Notes.sqlite")
    )
    // No access times out while a slow machine runs the tests.
    description.timeout = 3600
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  func total(_ counter: String, _ dimensions: [(String, String)] = []) -> Int64 {
    metrics.counterTotal(label: counter, dimensions: [("store", "notes")] + dimensions)
  }

  func count(ofTimer label: String, _ dimensions: [(String, String)] = []) -> Int {
    metrics.timers(label: label, dimensions: [("store", "notes")] + dimensions).reduce(0) {
      $0 + $1.values.count
    }
  }

  func gauge(_ label: String) throws -> Double? {
    try metrics.expectRecorder(label, [("store", "notes")]).lastValue
  }

  func addNotes(_ titles: [String]) async throws {
    try await container.performBackgroundTask { context throws in
      for title in titles {
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
          title,
          forKey: "title"
        )
      }
      try context.save()
    }
  }

  func noteCount() async throws -> Int {
    try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
    }
  }
}
