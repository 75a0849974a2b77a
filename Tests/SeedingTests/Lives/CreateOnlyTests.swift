import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Properties that only new objects are given")
struct CreateOnlyTests {
  private static let header = "\"$createOnly\": {\"notes\": [\"contents\", \"tags\"]}, "

  private func seed(_ header: String, _ contents: String, _ tag: String) -> String {
    """
    {\(header)"tags": [{"name": "x"}, {"name": "y"}], "categories": [{"name": "\(contents)"}],
     "notes": [{"title": "1", "contents": "\(contents)", "category": "\(contents)", "tags": ["\(tag)"]}]}
    """
  }

  @Test(
    "a seed's header can declare properties as create-only",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func header(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": seed(Self.header, "one", "x")], mode: mode)
    let report = try way.seed(store, ["seed.json": seed(Self.header, "two", "y")], mode: mode)
    #expect(report.entities["Note"]?.updated == 1)
    #expect(report.conflicts == [])
    #expect(try store.lines("Note", "contents", "category.name", "tags.name") == ["one|two|x"])
  }

  @Test("a seeder can declare properties as create-only", arguments: SeedWay.allCases)
  func seeder(way: SeedWay) throws {
    let store = try way.store()
    for (contents, tag) in [("one", "x"), ("two", "y")] {
      try way.seed(store, ["seed.json": seed("", contents, tag)]) {
        $0.createOnly = ["Note": ["contents", "tags"]]
      }
    }
    #expect(try store.lines("Note", "contents", "category.name", "tags.name") == ["one|two|x"])
  }

  @Test("a model can declare properties as create-only", arguments: SeedWay.allCases)
  func model(way: SeedWay) throws {
    let model = TestModel.notes { entities in
      for name in ["contents", "tags"] {
        entities["Note"]?.propertiesByName[name]?.userInfo = ["seed.createOnly": "YES"]
      }
    }
    let store = try way.store(model)
    for (contents, tag) in [("one", "x"), ("two", "y")] {
      try way.seed(store, ["seed.json": seed("", contents, tag)])
    }
    #expect(try store.lines("Note", "contents", "category.name", "tags.name") == ["one|two|x"])
  }

  @Test(
    "create-only references of new objects in a cycle are set, and set again after a deletion",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func circle(way: SeedWay, mode: SeedMode) throws {
    let nodes = ["a": "b", "b": "c", "c": "d", "d": "a"].sorted { $0.key < $1.key }.map { name, parent in
      "{\"name\": \"\(name)\", \"parent\": \"\(parent)\"}"
    }
    for header in ["", "\"$createOnly\": {\"nodes\": [\"parent\"]}, "] {
      let node = makeEntity("Node", makeAttribute("name", .stringAttributeType))
      relate(node, "parent", isToMany: false, node, "children", isToMany: true)
      let store = try way.store(makeModel([node]))
      let seed = "{\(header)\"nodes\": [\(nodes.joined(separator: ", "))]}"
      try way.seed(store, ["seed.json": seed], mode: mode)
      #expect(try store.lines("Node", "name", "parent.name") == ["a|b", "b|c", "c|d", "d|a"])
      try store.delete("Node", "name", "a")
      try way.seed(store, ["seed.json": seed], mode: mode, policy: .always)
      // In a merge, and for create-only properties, d keeps the value after the deletion.
      let isKept = mode == .merge || !header.isEmpty
      #expect(
        try store.lines("Node", "name", "parent.name") == ["a|b", "b|c", "c|d", isKept ? "d|-" : "d|a"]
      )
    }
  }

  @Test("create-only properties in a header apply to the header's own file")
  func oneFile() throws {
    let store = try TestStore()
    let way = SeedWay.oneSave
    try way.seed(store, ["seed.json": seed("", "one", "x")])
    try way.seed(
      store,
      ["a.json": "{\"$createOnly\": {\"notes\": [\"contents\"]}}", "b.json": seed("", "two", "y")]
    )
    #expect(try store.values("Note", "contents") == ["two"])
  }

  @Test("create-only names that the model does not have are an error")
  func unknown() throws {
    let store = try TestStore()
    let way = SeedWay.oneSave
    for (createOnly, code) in [
      (["Nota": Set(["title"])], SeedError.Code.unknownEntity), (["Note": ["titel"]], .unknownKey),
    ] {
      let error = #expect(throws: SeedError.self) {
        try way.seed(store, ["seed.json": "{}"]) { $0.createOnly = createOnly }
      }
      #expect(error?.code == code)
    }
    for (header, code) in [
      ("{\"$createOnly\": {\"notas\": [\"title\"]}}", SeedError.Code.unknownEntity),
      ("{\"$createOnly\": {\"notes\": [\"titel\"]}}", .unknownKey),
      ("{\"$createOnly\": [\"title\"]}", .wrongShape),
    ] {
      let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": header]) }
      #expect(error?.code == code)
    }
  }
}
