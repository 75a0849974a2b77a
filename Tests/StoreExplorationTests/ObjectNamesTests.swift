import Foundation
import StoreExploration
import TestModels
import TestSupport
import Testing

@testable import CoreData

@Suite struct ObjectNamesTests {
  @Test func `An entity's objects are named by what people would call them`() {
    func rule(_ properties: NSPropertyDescription...) -> [String] {
      let entity = makeEntity("Thing", NSManagedObject.self, properties)
      _ = makeModel([entity])
      return ObjectNames.rule(for: entity).keyPaths
    }
    #expect(rule(makeAttribute("Title"), makeAttribute("body")) == ["Title"])
    #expect(rule(makeAttribute("lastName"), makeAttribute("firstName")) == ["firstName", "lastName"])
    #expect(rule(makeAttribute("id", .UUIDAttributeType), makeAttribute("name")) == ["name"])
    #expect(rule(makeAttribute("id", .UUIDAttributeType)) == ["id"])
    #expect(rule(makeAttribute("remoteURL"), makeAttribute("text")) == ["text"])
    #expect(rule(makeAttribute("count", .integer64AttributeType)) == [])
    #expect(rule(makeAttribute("name", .binaryDataAttributeType)) == [])
  }

  @Test(arguments: GardenKind.allCases)
  func `Names are one short line, and objects without one have their key`(kind: GardenKind) throws {
    let store = try GardenStore(kind)
    let names = try store.write { context in
      let objects = [
        context.add("Note", ["title": "  a\u{1B}[2J\nb  "]),
        context.add("Note", ["title": String(repeating: "x", count: 500)]),
        context.add("Note", ["title": " \n"]), context.add("Note"),
        context.add("Author", ["lastName": "Lovelace"]),
      ]
      try context.save()
      var namer = ObjectNames()
      let names = try namer.names(of: objects.map(\.objectID), in: context)
      return objects.map { names[$0.objectID] ?? "" }
    }
    #expect(names[0] == "a\\u{1B}[2J b")
    #expect(names[1].count == ObjectNames.longestName)
    #expect(names[2].hasPrefix("Note p") && names[3].hasPrefix("Note p"))
    #expect(names[4] == "Lovelace")
  }

  @Test func `Names of a thousand objects of one entity are one statement`() async throws {
    let store = try GardenStore()
    let ids = try store.write { context in
      let notes = (0..<1_000).map { context.add("Note", ["title": "\($0)"]) }
      try context.save()
      return notes.map(\.objectID)
    }
    let statements = await store.statements {
      do {
        try store.write { context in
          var namer = ObjectNames()
          let names = try namer.names(of: ids, in: context)
          #expect(names.count == 1_000)
        }
      } catch { Issue.record(error) }
    }
    #expect(statements.filter { $0.contains("FROM ZNOTE") }.count == 1)
  }
}
