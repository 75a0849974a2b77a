import CoreData
import Foundation
import Testing

@Suite("A to-many relationship of any size")
struct RelationshipSizeTests {
  @Test("a to-many relationship has unique objects, grows and shrinks", arguments: StoreKind.allCases)
  func sizes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a")
    let tags = (0..<20).map { stack.tag("\($0)") }
    for (index, tag) in tags.enumerated() {
      for _ in 0..<2 { note.tags.insert(tag) }
      #expect(note.tags == Set(tags[...index]))
    }
    try stack.save()
    let other = stack.newContext()
    let there = try #require(try stack.fetch(Note.self, in: other).first)
    #expect(Set(there.tags.compactMap(\.name)) == Set(tags.compactMap(\.name)))
    for count in stride(from: 19, through: 0, by: -1) {
      note.tags.remove(tags[count])
      #expect(note.tags == Set(tags[..<count]))
      #expect(tags[count].notes.isEmpty)
    }
  }

  @Test("a prefetched relationship leads many objects to shared ones", arguments: StoreKind.allCases)
  func shared(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tags = (0..<12).map { stack.tag("\($0)") }
    for number in 0..<30 {
      stack.note("\(number)", tags: Set((0...(number % 11)).map { tags[($0 + number) % 12] }))
    }
    try stack.save()
    let context = stack.newContext()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = ["tags", "tags.notes", "tags"]
    let found = try context.fetch(request)
    let destinations = try stack.fetch(Tag.self, in: context)
    for note in found {
      let number = try #require(note.title.flatMap(Int.init))
      #expect(!note.hasFault(forRelationshipNamed: "tags"))
      #expect(Set(note.tags.compactMap(\.name)) == Set((0...(number % 11)).map { "\(($0 + number) % 12)" }))
      #expect(note.tags.allSatisfy { tag in destinations.contains { $0 === tag } })
    }
  }
}
