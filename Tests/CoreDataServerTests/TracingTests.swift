import CoreData
import CoreDataServer
import Foundation
import InMemoryTracing
import TestSupport
import Testing
import Tracing

@Suite("Spans of a coordinator's stores")
struct TracingTests {
  @Test(
    "fetches and saves have spans below the span of the task that calls the context",
    arguments: [
      "perform", "deadline", "write", "child task", "handler", "main queue", "write on the main queue",
    ]
  )
  func parents(_ way: String) async throws {
    let stack = try TelemetryStack()
    let isMain = way.hasSuffix("main queue")
    let context = isMain ? stack.container.viewContext : stack.container.newBackgroundContext()
    let work = { @Sendable in
      _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("a", forKey: "title")
      try context.save()
    }
    try await stack.tracer.withAnySpan("request") { _ in
      switch way {
      case "perform", "main queue": try await context.perform { try work() }
      case "deadline": try await context.perform(deadline: .now + .seconds(86_400)) { try work() }
      case "handler":
        try await withCheckedThrowingContinuation { continuation in
          context.perform { continuation.resume(with: Result { try work() }) }
        }
      case "write", "write on the main queue": try await context.performWrite { try work() }
      default: try await Task { try await context.perform { try work() } }.value
      }
    }
    let spans = stack.tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["coredata.fetch", "coredata.save", "request"])
    let request = try #require(spans.last)
    for span in spans.dropLast() {
      #expect(span.parentSpanID == request.spanID)
      #expect(span.traceID == request.traceID)
      #expect(span.kind == .client)
      #expect(span.attributes["db.namespace"]?.toSpanAttribute() == "notes")
    }
    #expect(spans[0].attributes["db.collection.name"]?.toSpanAttribute() == "Note")
    #expect(spans[1].attributes["db.response.returned_rows"]?.toSpanAttribute() == 1)
  }

  @Test("task-local values of the caller are visible in the block, and only there")
  func carried() async throws {
    let stack = try TelemetryStack()
    let context = stack.container.newBackgroundContext()
    var own = ServiceContext.topLevel
    own[Number.self] = 42
    let inside = await ServiceContext.withValue(own) {
      await context.perform { ServiceContext.current?[Number.self] }
    }
    #expect(inside == 42)
    let outside = await context.perform { ServiceContext.current?[Number.self] }
    #expect(outside == nil)
  }

  private enum Number: ServiceContextKey {
    typealias Value = Int
  }

  @Test("a failure has its domain and its code in the span, and nothing of paths or values")
  func failures() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a secret"])
    await #expect(throws: CocoaError.self) { try await stack.addNotes(["a secret"]) }
    await #expect(throws: (any Error).self) {
      try await stack.container.performBackgroundTask { context throws in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "title MATCHES '('")
        _ = try context.fetch(request)
      }
    }
    let fetch = try #require(stack.tracer.finishedSpans.last)
    #expect(fetch.operationName == "coredata.fetch")
    #expect(fetch.status?.code == .error)
    let type = "\(String(describing: fetch.attributes["error.type"]))"
    #expect(type.contains("NSCocoaErrorDomain \(NSPersistentStoreUnsupportedRequestTypeError)"))
    for span in stack.tracer.finishedSpans {
      #expect(!"\(span)".contains("secret"))
      #expect(!"\(span)".contains(stack.folder.url.path))
    }
    #expect(stack.tracer.activeSpans.isEmpty)
  }

  @Test("faults and relationships have no spans")
  func small() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a"])
    try await stack.container.performBackgroundTask { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.includesPropertyValues = false
      let note = try #require(try context.fetch(request).first)
      #expect(note.value(forKey: "title") as? String == "a")
      _ = note.value(forKey: "tags")
    }
    #expect(stack.count(ofTimer: "coredata.fault.duration") == 1)
    #expect(stack.tracer.finishedSpans.map(\.operationName) == ["coredata.save", "coredata.fetch"])
  }
}
