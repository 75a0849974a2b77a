import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Labels in unchanged files")
struct LabelVersionTests {
  private let labels =
    "{\"categories\": [{\"$id\": \"blue\", \"name\": \"Sea\", \"colorAsHex\": \"0000FF\"}]}"

  private func note(_ title: String) -> String {
    "{\"notes\": [{\"title\": \"\(title)\", \"category\": {\"$ref\": \"blue\"}}]}"
  }

  @Test(
    "labels in an unchanged file resolve to their objects, which are not written again",
    arguments: SeedWay.allCases
  )
  func labels(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": labels, "b.json": note("1")])
    try store.set("Category", "name", "Sea", "colorAsHex", to: "FFFFFF")
    let report = try way.seed(store, ["a.json": labels, "b.json": note("2")])
    #expect(report.seeds.map(\.wasSkipped) == [true, false])
    #expect(report.description == "Category: 1 skipped\nNote: 1 created")
    #expect(try store.lines("Note", "title", "category.name") == ["1|Sea", "2|Sea"])
    #expect(try store.values("Category", "colorAsHex") == ["FFFFFF"])
  }

  @Test("a label of an object that a user has deleted is an error that says so", arguments: SeedWay.allCases)
  func deleted(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": labels, "b.json": note("1")])
    try store.delete("Category", "name", "Sea")
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["a.json": labels, "b.json": note("2")])
    }
    #expect(error?.code == .unknownReference)
    #expect(
      error?.description
        == "b.json:1: Note record 1, key \"category\": the record with the label \"blue\" is of a.json, which the store has "
        + "already, and its object is not in the store any more; seed that file again, by the policy always"
    )
    #expect(try store.count("Note") == 1)
  }

  @Test("a preview resolves labels in unchanged files, too")
  func preview() throws {
    let store = try TestStore()
    try SeedWay.oneSave.seed(store, ["a.json": labels, "b.json": note("1")])
    let sources = [("a.json", labels), ("b.json", note("2"))].map { name, text in
      SeedSource.data(Data(text.utf8), name: name)
    }
    #expect(try Seeder(sources).preview(in: store.coordinator).description == "+ Note \"2\"")
  }
}
