import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Query plans")
struct QueryPlanTests {
  @Test(
    "queries use an index wherever one can be used",
    arguments: [
      "title == 'a'", "title BEGINSWITH 'a'", "title IN {'a', 'b'}", "title > 'a'",
      "title BETWEEN {'a', 'b'}",
      "category.name == 'x' AND title == 'a'",
    ]
  )
  func index(_ format: String) throws {
    let folder = try TemporaryFolder()
    let recorder = StatementRecorder(folder.url, details: .plan)
    let store = try SQLiteStore.open(folder)
    try folder.execute("CREATE INDEX Z_Note_byTitle ON ZNOTE (ZTITLE COLLATE BINARY ASC)")
    let fetches = try recorder.rowStatements { _ = try store.rows("Note", format) }
    #expect(fetches.count == 1)
    #expect(fetches.allSatisfy { $0.plan.contains { $0.contains("Z_Note_byTitle") } }, "\(fetches)")
  }
}
