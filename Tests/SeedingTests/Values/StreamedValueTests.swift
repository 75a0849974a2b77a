import TestModels
import TestSupport

#if !canImport(Darwin)
  import CoreData
  import Foundation
  import Testing

  @testable import Seeding

  @Suite("Computed values in seeds that are larger than a chunk")
  struct StreamedValueTests {
    /// Nearly the maximum number of operations in an expression. They are evaluated on the stack of their own thread.
    private static let sum = [String](repeating: "1", count: 190).joined(separator: " + ")

    private func lines(_ count: Int) -> String {
      (0..<count).map { number in
        """
        {"$entity": "notes", "title": {"$expression": "'n' + (updatedNumber + (\(number == 0 ? Self.sum : "1000")))"}, \
        "createdAt": {"$now": "-\(number % 5)d"}, "contents": {"$file": "texts/\(number % 3).txt"}, \
        "updatedNumber": \(number), "category": {"$expression": "'c' + contents2"}, "contents2": "\(number % 2)"}
        """
      }.joined(separator: "\n")
        + "\n{\"$entity\": \"categories\", \"name\": \"c0\"}\n{\"$entity\": \"categories\", \"name\": \"c1\"}"
    }

    private var model: NSManagedObjectModel {
      TestModel.notes { entities in
        entities["Note"]?.properties += [
          makeAttribute("updatedNumber", .integer32AttributeType),
          makeAttribute("contents2", .stringAttributeType),
        ]
      }
    }

    @Test(
      "computed values of a chunked import equal those of one save, use one date, and change nothing the second time"
    )
    func same() throws {
      let folder = try TestFolder()
      for number in 0..<3 { try folder.write("texts/\(number).txt", "text \(number)") }
      let url = try folder.write("seed.jsonl", lines(Seeder.manyRecords))
      var seeder = Seeder(.file(url), policy: .always).inPieces
      seeder.now = ISO8601Date.parse("2024-03-17")
      let stores = try [TestStore.Kind.sqlite, .inMemory].map { try TestStore($0, model) }
      for store in stores {
        #expect(
          try seeder.runAndWait(in: store.coordinator).total.created == Seeder.manyRecords + 2
        )
        #expect(
          try seeder.runAndWait(in: store.coordinator).total.unchanged == Seeder.manyRecords + 2
        )
      }
      let (one, other) = try (stores[0].contents(), stores[1].contents())
      #expect(one == other)
      #expect(try Set(stores[0].values("Note", "createdAt")).count == 5)
      #expect(try Set(stores[0].lines("Note", "category.name")) == ["c0", "c1"])
    }

    @Test(
      "wrong computed values in a chunked import are reported with their line, and skipped if that is asked for"
    )
    func wrong() throws {
      let folder = try TestFolder()
      for number in 0..<3 { try folder.write("texts/\(number).txt", "text \(number)") }
      let text = lines(Seeder.manyRecords)
      let bad = #"{"$entity": "notes", "title": "bad", "contents": {"$file": "texts/9.txt"}}"#
      let url = try folder.write("seed.jsonl", text + "\n" + bad)
      let store = try TestStore(.sqlite, model)
      let error = #expect(throws: SeedError.self) {
        try Seeder(.file(url)).inPieces.runAndWait(in: store.coordinator)
      }
      #expect(error?.position?.line == Seeder.manyRecords + 3 && error?.position?.key == "contents")
      let report = try Seeder(.file(url), onFailure: .skipRecord).inPieces.runAndWait(in: store.coordinator)
      #expect(report.total.failed == 1 && report.total.created == Seeder.manyRecords + 2)
    }
  }
#endif
