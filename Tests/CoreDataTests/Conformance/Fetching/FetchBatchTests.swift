import Foundation
import Testing

@testable import CoreData

@Suite("A fetch in batches")
struct FetchBatchTests {
  private func stack(_ kind: StoreKind, _ count: Int) throws -> (Stack, NSManagedObjectContext) {
    let stack = try Stack(kind)
    for number in 0..<count { stack.note("\(number + 1000)", rating: Int64(number)) }
    try stack.save()
    return (stack, stack.sibling())
  }

  private var request: NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    request.fetchBatchSize = 20
    return request
  }

  @Test("a batch's values are loaded when its first object is used", arguments: StoreKind.allCases)
  func batches(_ kind: StoreKind) throws {
    let (stack, context) = try stack(kind, 50)
    defer { withExtendedLifetime(stack) {} }
    let channel = try CountingChannel.install(in: context)
    let notes = try context.fetch(request)
    #expect(notes.count == 50 && notes.allSatisfy(\.isFault))
    #expect(channel.count == 1)
    #expect(notes[3].rating == 3 && notes[19].title == "1019" && notes[0].rating == 0)
    #expect(channel.fetches == 2 && channel.rows == 0)
    #expect(notes.map(\.rating) == Array(0..<50))
    #expect(channel.fetches == 4 && channel.rows == 0)
  }

  @Test("loading a batch does not overwrite values or changes", arguments: StoreKind.storesAndChildren)
  func changedObjects(_ kind: StoreKind) throws {
    let (stack, context) = try stack(kind, 30)
    let first = try #require(try stack.fetch(Note.self, "rating == 0", in: context).first)
    let second = try #require(try stack.fetch(Note.self, "rating == 1", in: context).first)
    #expect(first.title == "1000")
    second.rating = 100
    let notes = try context.fetch(request)
    #expect(notes[0] === first && notes[1] === second)
    #expect(notes.map(\.rating) == [0, 100] + Array(2..<30))
  }

  @Test(
    "a batch contains a meanwhile deleted object as missing, and the others as usual",
    arguments: StoreKind.storesAndChildren
  )
  func deletedMeanwhile(_ kind: StoreKind) throws {
    let (stack, context) = try stack(kind, 10)
    let notes = try context.fetch(request)
    stack.context.delete(try #require(try stack.fetch(Note.self, "rating == 4").first))
    try stack.save()
    #expect(notes[3].rating == 3)
    #expect(notes[4].title == nil && notes[4].isDeleted)
  }

  @Test("a batch loads its relationships too", arguments: StoreKind.storesAndChildren)
  func prefetching(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for number in 0..<40 { stack.note("\(number + 1000)", stack.category("\(number)")) }
    try stack.save()
    let context = stack.sibling()
    let channel = try CountingChannel.install(in: context)
    let request = request
    request.relationshipKeyPathsForPrefetching = ["category"]
    let notes = try context.fetch(request)
    #expect(channel.count == 1)
    #expect(notes[0..<20].map { $0.category?.name } == (0..<20).map { "\($0)" })
    #expect(channel.count == 3)
  }
}
