import CoreData
import Foundation
import Testing

@Suite("A fetch request that is executed without a context")
struct CurrentContextTests {
  private func titles(_ request: NSFetchRequest<Note>) throws -> [String?] {
    try request.execute().map(\.title)
  }

  private func request() -> NSFetchRequest<Note> { NSFetchRequest<Note>(entityName: "Note") }

  @Test("a request without a context uses the context of its block", arguments: StoreKind.allCases)
  func waiting(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let sibling = stack.sibling()
    try stack.context.performAndWait {
      stack.note("mine")
      #expect(try titles(request()) == ["mine"])
      let others: [String?] = try sibling.performAndWait { try titles(request()) }
      #expect(others == [])
      #expect(try titles(request()) == ["mine"])
    }
  }

  @Test("a context-free request works in awaited and queued work", arguments: [StoreKind.inMemory, .sqlite])
  func handedOver(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    stack.note("mine")
    let awaited = try await stack.context.perform { try titles(request()) }
    #expect(awaited == ["mine"])
    let enqueued = try await stack.context.perform(schedule: .enqueued) { try titles(request()) }
    #expect(enqueued == ["mine"])
    await withCheckedContinuation { continuation in
      stack.context.perform {
        #expect((try? titles(request())) == ["mine"])
        continuation.resume()
      }
    }
  }

  @Test("a request without a context throws the error of its fetch")
  func failure() throws {
    let stack = try Stack(.sqlite)
    nonisolated(unsafe) let request = request()
    request.predicate = NSPredicate(format: "nobody == 1")
    #expect(throws: (any Error).self) { try stack.context.performAndWait { _ = try request.execute() } }
  }

  @Test("a request without a context can return numbers and dictionaries")
  func otherResults() throws {
    let stack = try Stack(.sqlite)
    stack.note("one")
    try stack.save()
    let (counted, dictionaries) = try stack.context.performAndWait {
      let count = NSFetchRequest<NSNumber>(entityName: "Note")
      count.resultType = .countResultType
      let values = NSFetchRequest<NSDictionary>(entityName: "Note")
      values.resultType = .dictionaryResultType
      values.propertiesToFetch = ["title"]
      return (try count.execute(), try values.execute())
    }
    #expect(counted == [1])
    #expect(dictionaries.first?["title"] as? String == "one")
  }
}
