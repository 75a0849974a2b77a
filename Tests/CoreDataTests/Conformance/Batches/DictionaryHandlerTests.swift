import CoreData
import Foundation
import Testing

@Suite("The dictionary of a batch insertion's handler")
struct DictionaryHandlerTests {
  /// Inserts one object for each block. The block fills the dictionary of its object.
  private func insert(_ stack: Stack, _ fill: [(NSMutableDictionary) -> Void]) throws {
    var next = 0
    let request = NSBatchInsertRequest(entityName: "Note") { (values: NSMutableDictionary) in
      guard next < fill.count else { return true }
      fill[next](values)
      next += 1
      return false
    }
    try stack.context.execute(request)
  }

  @Test("a handler can fill its dictionary with every method", arguments: StoreKind.takingBatches)
  func filling(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try insert(
      stack,
      [
        { $0["title"] = "a" }, { $0.setObject("b", forKey: "title") },
        { $0.addEntries(from: ["title": "c", "rating": 5]) }, { $0.setDictionary(["title": NSString("d")]) },
        { values in
          values["title"] = "e"
          values["rating"] = Int16(8)
          values["createdAt"] = NSNull()
        },
      ]
    )
    let notes = try stack.fetch(Note.self, sort: [.byTitle])
    #expect(notes.map(\.title) == ["a", "b", "c", "d", "e"])
    #expect(notes.map(\.rating) == [3, 3, 5, 3, 8])
    #expect(notes.allSatisfy { $0.createdAt == nil })
  }

  @Test("a handler's dictionary is readable, and empty for each object", arguments: StoreKind.takingBatches)
  func reading(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    try insert(
      stack,
      [
        { values in
          values["title"] = "a"
          values["rating"] = 9
          values["share"] = Float(0.5)
          #expect(values["title"] as? String == "a" && values.value(forKey: "rating") as? Int == 9)
          #expect(values["share"] as? Float == 0.5 && values["medium"] == nil && values.count == 3)
          #expect(Set(values.allKeys.compactMap { $0 as? String }) == ["title", "rating", "share"])
          let same: [AnyHashable: Any] = ["title": "a", "rating": 9, "share": Float(0.5)]
          #expect(values.isEqual(to: same))
          values["rating"] = nil
          values.removeObject(forKey: "share")
          #expect(values.count == 1)
        },
        { values in
          #expect(values.count == 0 && values["title"] == nil)
          values["unknown"] = 1
          #expect(values["unknown"] as? Int == 1 && values.count == 1)
          values.removeAllObjects()
          values["title"] = "b"
        },
      ]
    )
    let notes = try stack.fetch(Note.self, sort: [.byTitle])
    #expect(notes.map(\.title) == ["a", "b"] && notes.map(\.rating) == [3, 3])
    #expect(notes[0].value(forKey: "share") == nil)
  }

  @Test("a handler's dictionary keeps its contents when retained", arguments: StoreKind.takingBatches)
  func keeping(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    var kept: [NSMutableDictionary] = []
    try insert(
      stack,
      ["a", "b", "c"].map { title in
        { values in
          values["title"] = title
          kept.append(values)
        }
      }
    )
    #expect(kept.map { $0["title"] as? String } == ["a", "b", "c"])
    #expect(try stack.fetch(Note.self, sort: [.byTitle]).map(\.title) == ["a", "b", "c"])
  }

  @Test("a handler's invalid value is refused with object and key", arguments: StoreKind.takingBatches)
  func wrongValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    func failure(_ key: String, _ value: Any) throws -> String {
      let error = try #require(throws: (any Error).self) {
        try insert(
          stack,
          [
            { $0["title"] = "a" },
            { values in
              values["title"] = "b"
              values[key] = value
            },
          ]
        )
      }
      return (error as NSError).localizedDescription
    }
    #expect(try failure("title", 7).contains("object 1 of the batch: Note.title cannot be 7"))
    #expect(try failure("name", "x").contains("Note has no property named name"))
    #expect(try failure("tags", Set<Tag>()).contains("object 1 of the batch sets Note.tags"))
    #expect(try failure("draft", "x").contains("object 1 of the batch sets Note.draft"))
    #expect(try failure("category", NSNull()).contains("object 1 of the batch sets Note.category"))
    #expect(try stack.fetch(Note.self).isEmpty)
  }
}
