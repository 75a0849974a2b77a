import CoreData
import Foundation
import Testing

@Suite("An asynchronous fetch")
struct AsynchronousFetchTests {
  private func stack(_ kind: StoreKind, _ count: Int) throws -> Stack {
    let stack = try Stack(kind)
    for number in 0..<count { stack.note("\(number + 1000)") }
    try stack.save()
    return stack
  }

  private func wait(_ done: DispatchSemaphore) -> Bool { done.wait(timeout: .now() + 20) == .success }

  @Test(
    "an asynchronous fetch returns at once, and calls back with the objects and the completed progress",
    arguments: StoreKind.allCases
  )
  func objects(_ kind: StoreKind) throws {
    let stack = try stack(kind, 600)
    let done = DispatchSemaphore(value: 0)
    let fetch = NSFetchRequest<Note>(entityName: "Note")
    fetch.sortDescriptors = [.byTitle]
    fetch.fetchLimit = 500
    nonisolated(unsafe) let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
      #expect(result.finalResult?.count == 500)
      #expect(result.operationError == nil)
      done.signal()
    }
    request.estimatedResultCount = 600
    nonisolated(unsafe) let result = try stack.context.performAndWait {
      stack.note("0")
      let result = try #require(
        try stack.context.execute(request) as? NSAsynchronousFetchResult<Note>
      )
      #expect(result.finalResult == nil)
      #expect(result.progress?.totalUnitCount == 600)
      #expect(result.managedObjectContext === stack.context)
      return result
    }
    #expect(wait(done))
    stack.context.performAndWait {
      #expect(result.finalResult?.first?.title == "0")
      #expect(result.finalResult?.last?.title == "1498")
      #expect(result.progress?.completedUnitCount == 500)
      #expect(result.progress?.isFinished == true)
    }
  }

  @Test("an asynchronous fetch notices changes made meanwhile", arguments: StoreKind.allCases)
  func changesMeanwhile(_ kind: StoreKind) throws {
    let stack = try stack(kind, 10)
    let done = DispatchSemaphore(value: 0)
    let fetch = NSFetchRequest<Note>(entityName: "Note")
    fetch.sortDescriptors = [.byTitle]
    fetch.fetchLimit = 3
    nonisolated(unsafe) let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
      #expect(result.finalResult?.map(\.title) == ["0", "1", "1000"])
      done.signal()
    }
    try stack.context.performAndWait {
      _ = try stack.context.execute(request)
      stack.note("1")
      stack.note("0")
    }
    #expect(wait(done))
  }

  @Test("an asynchronous fetch can return IDs, dictionaries, counts", arguments: StoreKind.storesAndChildren)
  func otherForms(_ kind: StoreKind) throws {
    let stack = try stack(kind, 3)
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    ids.resultType = .managedObjectIDResultType
    nonisolated(unsafe) let counts = NSFetchRequest<NSNumber>(entityName: "Note")
    counts.resultType = .countResultType
    try stack.context.performAndWait {
      _ = try stack.context.execute(
        NSAsynchronousFetchRequest(fetchRequest: ids) { result in
          #expect(result.finalResult?.count == 3)
          done.signal()
        }
      )
      _ = try stack.context.execute(
        NSAsynchronousFetchRequest(fetchRequest: counts) { result in
          #expect(result.finalResult == [3])
          done.signal()
        }
      )
    }
    #expect(wait(done) && wait(done))
  }

  @Test("canceling ends an asynchronous fetch with an error", arguments: StoreKind.storesAndChildren)
  func cancellation(_ kind: StoreKind) throws {
    let stack = try stack(kind, 10)
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let request = NSAsynchronousFetchRequest(
      fetchRequest: NSFetchRequest<Note>(entityName: "Note")
    ) {
      result in
      #expect(result.finalResult == nil)
      #expect((result.operationError as? CocoaError)?.code == .userCancelled)
      done.signal()
    }
    try stack.context.performAndWait {
      let result = try stack.context.execute(request) as? NSAsynchronousFetchResult<Note>
      result?.progress?.cancel()
    }
    #expect(wait(done))
  }

  @Test("an asynchronous fetch ends with the error of the store")
  func failure() throws {
    let stack = try stack(.sqlite, 1)
    let done = DispatchSemaphore(value: 0)
    let fetch = NSFetchRequest<Note>(entityName: "Note")
    fetch.predicate = NSPredicate { _, _ in true }
    nonisolated(unsafe) let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
      #expect((result.operationError as? NSError)?.code == NSPersistentStoreUnsupportedRequestTypeError)
      done.signal()
    }
    try stack.context.performAndWait { _ = try stack.context.execute(request) }
    #expect(wait(done))
    #expect(throws: (any Error).self) {
      try stack.context.execute(
        NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Note>(entityName: "X"))
      )
    }
  }

  @Test(
    "executing a plain fetch request returns immediately",
    arguments: StoreKind.storesAndChildren
  )
  func plainRequest(_ kind: StoreKind) throws {
    let stack = try stack(kind, 2)
    let result = try stack.context.execute(NSFetchRequest<Note>(entityName: "Note"))
    #expect((result as? NSAsynchronousFetchResult<Note>)?.finalResult?.count == 2)
  }
}
