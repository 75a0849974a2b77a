import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("The scope that throws failures to read")
struct ReadFailureScopeTests {
  private let stack: Stack
  private let context: NSManagedObjectContext
  private let note: Note

  init() throws {
    stack = try Stack(.sqlite)
    let saved = stack.note("a", rating: 5)
    try stack.save()
    context = stack.newContext()
    note = try #require(context.object(with: saved.objectID) as? Note)
  }

  @Test("a failure to read within the scope is thrown at its end, and the next save does not throw it again")
  func failureWithin() throws {
    let channel = try FailingChannel.install(in: context)
    var isAtEnd = false
    let error = #expect(throws: NSError.self) {
      try context.throwingReadFailures {
        _ = note.title
        isAtEnd = true
      }
    }
    #expect(error === FailingChannel.error)
    #expect(isAtEnd)
    channel.isFailing = false
    #expect(try context.throwingReadFailures { note.title } == "a")
    try context.save()
  }

  @Test("a failure to read from before the scope is thrown by the next save, and not by the scope")
  func failureBefore() throws {
    let channel = try FailingChannel.install(in: context)
    _ = note.title
    channel.isFailing = false
    #expect(try context.throwingReadFailures { note.title } == "a")
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error === FailingChannel.error)
  }

  @Test(
    "the error of the work within the scope is thrown first, and the next save throws the failure to read"
  )
  func errorOfWork() throws {
    let channel = try FailingChannel.install(in: context)
    #expect(throws: CancellationError.self) {
      try context.throwingReadFailures {
        _ = note.title
        throw CancellationError()
      }
    }
    channel.isFailing = false
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error === FailingChannel.error)
  }

  @Test("a failure to read that is only noticed is thrown by the next save")
  func noticed() throws {
    let channel = try FailingChannel.install(in: context)
    #expect(context.noticingReadFailures { note.title }.hasFailed)
    channel.isFailing = false
    let (title, hasFailed) = context.noticingReadFailures { note.title }
    #expect(title == "a")
    #expect(!hasFailed)
    #expect(throws: NSError.self) { try context.save() }
  }

  @Test("takeReadFailure() returns a failure to read once, and the next save does not throw it")
  func taken() throws {
    let channel = try FailingChannel.install(in: context)
    _ = note.title
    #expect(context.takeReadFailure() as NSError? === FailingChannel.error)
    #expect(context.takeReadFailure() == nil)
    channel.isFailing = false
    try context.save()
  }
}
