import Foundation
import Testing

@testable import CoreData

@Suite("Prefetching")
struct PrefetchingTests {
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let tags = (0..<4).map { stack.tag("\($0)") }
    for number in 0..<12 {
      let category = number % 3 == 0 ? stack.category("\(number)") : nil
      let note = stack.note("\(number + 10)", category, tags: [tags[number % 4], tags[0]])
      for place in 0..<(number % 3) {
        let page = Page(context: stack.context)
        page.number = Int16(place)
        note.mutableOrderedSetValue(forKey: "pages").add(page)
      }
    }
    try stack.save()
    return stack
  }

  private func fetch(_ keyPaths: [String], in context: NSManagedObjectContext) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    request.relationshipKeyPathsForPrefetching = keyPaths
    return try context.fetch(request)
  }

  @Test("prefetching runs one query per key path, not per object", arguments: StoreKind.allCases)
  func keyPaths(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let context = stack.newContext()
    let channel = try CountingChannel.install(in: context)
    let notes = try fetch(["category", "tags", "pages"], in: context)
    #expect(channel.fetches == 2 && channel.destinationsOfMany == 2 && channel.count == 4)
    #expect(notes.compactMap { $0.category?.name } == ["0", "3", "6", "9"])
    for (index, note) in notes.enumerated() {
      let numbers = note.pages.compactMap { ($0 as? Page)?.number }
      #expect(Set(note.tags.compactMap(\.name)) == ["0", "\(index % 4)"])
      #expect(numbers == Array(0..<Int16(index % 3)))
    }
    #expect(notes.count == 12 && channel.count == 4)
  }

  @Test("prefetching follows nested key paths with one query per key", arguments: StoreKind.allCases)
  func nested(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let context = stack.newContext()
    let channel = try CountingChannel.install(in: context)
    let notes = try fetch(["tags.notes.category", "tags"], in: context)
    #expect(channel.count == 4)
    let names = notes[1].tags.flatMap { $0.notes.compactMap { $0.category?.name } }
    #expect(Set(names) == ["0", "3", "6", "9"])
    #expect(channel.count == 4)
  }

  @Test("prefetching does not overwrite loaded or changed values", arguments: StoreKind.allCases)
  func changes(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = try #require(try stack.fetch(Note.self, "title == '10'").first)
    let tag = stack.tag("new")
    note.tags.insert(tag)
    note.category = nil
    let notes = try fetch(["category", "tags"], in: stack.context)
    #expect(notes[0] === note && note.category == nil)
    #expect(Set(note.tags.compactMap(\.name)) == ["0", "new"])
    try stack.save()
    #expect(try stack.fetch(Tag.self, "name == 'new'", in: stack.newContext()).first?.notes.count == 1)
  }

  @Test("prefetching refuses other keys than relationships, with entity and key")
  func unknown() throws {
    let stack = try stack(.inMemory)
    let error = try #require(throws: (any Error).self) { try fetch(["category.color"], in: stack.context) }
    #expect((error as NSError).localizedDescription.contains("color is not a relationship of Category"))
  }

  @Test("prefetching runs one statement per relationship, in the order of the destinations")
  func statements() throws {
    let stack = try Stack(.sqlite, recording: .bindings)
    for title in ["a", "b"] { stack.note(title) }
    try stack.save()
    let context = stack.newContext()
    let executed = try stack.executed { _ = try fetch(["pages", "tags"], in: context) }
    let keys: [SQLValue] = [.integer(1), .integer(2)]
    #expect(
      executed.dropFirst() == [
        SQLStatement(
          sql: "SELECT t0.Z_PK, t0.Z_OPT, t0.Z_ENT, t0.ZNUMBER, t0.ZNOTE, t0.ZNOTE FROM ZPAGE t0 "
            + "WHERE t0.ZNOTE IN (?, ?) ORDER BY t0.Z_FOK_NOTE, t0.Z_PK",
          bindings: keys
        ),
        SQLStatement(
          sql: "SELECT t0.Z_PK, t0.Z_OPT, t0.Z_ENT, t0.ZNAME, t1.Z_3NOTES FROM Z_3TAGS t1 "
            + "JOIN ZTAG t0 ON t0.Z_PK = t1.Z_7TAGS WHERE t1.Z_3NOTES IN (?, ?)",
          bindings: keys
        ),
      ]
    )
  }
}
