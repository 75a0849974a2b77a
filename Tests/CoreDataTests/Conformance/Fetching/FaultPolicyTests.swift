import Foundation
import Logging
import Testing

@testable import CoreData

@Suite("Faults that are fired one by one")
struct FaultPolicyTests {
  /// Five notes, each with a category and two tags of its own.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    for number in 0..<5 {
      let tags: Set = [stack.tag("a\(number)"), stack.tag("b\(number)")]
      stack.note("\(number)", stack.category("\(number)"), tags: tags)
    }
    try stack.save()
    return stack
  }

  /// A random line number for a test's fetch, by which the test finds its log lines among those of all tests.
  private let line = UInt.random(in: 1_000_000...9_000_000_000)

  private func notes(in context: NSManagedObjectContext, prefetching keyPaths: [String] = [], limit: Int = 0)
    throws
    -> [Note]
  {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    request.relationshipKeyPathsForPrefetching = keyPaths
    request.fetchLimit = limit
    return try context.fetch(request, fileID: "Planted/Page.swift", line: line)
  }

  private var reports: [LogRecorder.Entry] {
    LogRecorder.entries.filter { $0.metadata["fetch"] == "Planted/Page.swift:\(line)" }
  }

  @Test(
    "a loop over a to-one relationship is reported once, with its place and the remedy",
    arguments: StoreKind.allCases
  )
  func toOne(_ kind: StoreKind) throws {
    #expect(LogRecorder.isRecording)
    let stack = try stack(kind)
    let context = stack.newContext()
    context.faultPolicy = .report(threshold: 3)
    #expect(try notes(in: context).compactMap { $0.category?.name } == ["0", "1", "2", "3", "4"])
    let report = try #require(reports.first)
    #expect(reports.count == 1 && report.label == "CoreData" && report.level == .warning)
    #expect(report.metadata["entity"] == "Note" && report.metadata["relationship"] == "category")
    #expect(report.metadata["count"] == "3")
    #expect(report.message.contains("one fetch of Note at Planted/Page.swift:\(line)"))
    #expect(report.message.contains("add \"category\" to the request's relationshipKeyPathsForPrefetching"))
    try context.throwReadFailure()
  }

  @Test(
    "a loop over to-many relationships is reported with the whole key path",
    arguments: StoreKind.allCases
  )
  func toMany(_ kind: StoreKind) throws {
    #expect(LogRecorder.isRecording)
    let stack = try stack(kind)
    let context = stack.newContext()
    context.faultPolicy = .report(threshold: 5)
    #expect(try notes(in: context).map { $0.tags.reduce(0) { $0 + $1.notes.count } } == [2, 2, 2, 2, 2])
    let paths = reports.map { "\($0.metadata["entity"] ?? "").\($0.metadata["relationship"] ?? "")" }
    #expect(paths.contains("Note.tags") && paths.contains("Tag.notes"), "\(paths)")
    #expect(reports.contains { $0.message.contains("add \"tags.notes\"") })
  }

  @Test(
    "prefetched relationships and one object's own are neither reported nor refused",
    arguments: StoreKind.allCases
  )
  func prefetched(_ kind: StoreKind) throws {
    #expect(LogRecorder.isRecording)
    let stack = try stack(kind)
    for policy in [FaultPolicy.report(threshold: 2), .refuse] {
      let context = stack.newContext()
      context.faultPolicy = policy
      let all = try notes(in: context, prefetching: ["category", "tags"])
      #expect(all.compactMap { $0.category?.name }.count == 5 && all.allSatisfy { $0.tags.count == 2 })
      let single = stack.newContext()
      single.faultPolicy = policy
      let note = try #require(try notes(in: single, limit: 1).first)
      #expect(note.category?.name == "0" && note.tags.count == 2)
      try context.throwReadFailure()
      try single.throwReadFailure()
    }
    #expect(reports.isEmpty)
  }

  @Test(
    "a refused fault is an error and not a trap, and is fired once the policy allows it",
    arguments: StoreKind.allCases
  )
  func refused(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let context = stack.newContext()
    context.faultPolicy = .refuse
    let notes = try notes(in: context)
    #expect(notes[0].category?.name == "0")
    #expect(notes[1].category?.name == nil)
    let error = #expect(throws: NSError.self) { try context.throwReadFailure() }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreOperationError)
    #expect(error?.localizedDescription.contains("add \"category\"") == true)
    #expect(notes[0].tags.count == 2 && notes[1].tags.isEmpty)
    #expect(throws: NSError.self) { try context.save() }
    context.faultPolicy = .ignore
    #expect(notes[1].category?.name == "1" && notes[1].tags.count == 2)
    try context.throwReadFailure()
  }

  @Test("a threshold below one and the greatest are taken as they are meant")
  func thresholds() throws {
    #expect(LogRecorder.isRecording)
    let stack = try stack(.inMemory)
    for threshold in [Int.max, Int.min] {
      let context = stack.newContext()
      context.faultPolicy = .report(threshold: threshold)
      #expect(try notes(in: context).compactMap { $0.category?.name }.count == 5)
    }
    #expect(reports.map { $0.metadata["count"] } == ["1"])
  }

  @Test("new contexts of a container and children have its policy, and others ignore faults")
  func inheritance() throws {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: TestModel.shared)
    #expect(container.faultPolicy == .ignore && container.newBackgroundContext().faultPolicy == .ignore)
    container.faultPolicy = .refuse
    let background = container.newBackgroundContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = background
    #expect(background.faultPolicy == .refuse && child.faultPolicy == .refuse)
    #expect(container.viewContext.faultPolicy == .refuse)
    container.faultPolicy = .ignore
    #expect(
      container.newBackgroundContext().faultPolicy == .ignore && container.viewContext.faultPolicy == .ignore
    )
  }
}
