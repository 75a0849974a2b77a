import CoreData
import Foundation
import GRDB
import Samples

/// Fetches groups as dictionaries, compared with the single statement that makes them.
enum GroupWorkload {
  private static let rows = 20_000
  private static let groups = 100

  /// The translation of the request.
  private static let statement = "SELECT ZA0, COUNT(*), SUM(ZA1) FROM ZSAMPLE GROUP BY ZA0"

  static func make(_ files: SampleFiles) throws -> Workload {
    let url = try files.make(rows: rows)
    let raw = try RawSQLite(url.path)
    try raw.execute("UPDATE ZSAMPLE SET ZA0 = Z_PK % \(groups)")
    let expected = try raw.readGroups(statement)
    let queue = try GRDBFile.queue(url.path)
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["a0", column("count", "count:(SELF)"), column("sum", "sum:(a1)")]
    request.propertiesToGroupBy = ["a0"]
    return Workload(
      title: "group \(rows) rows into \(groups), with their number and a sum",
      contenders: [
        Contender("C API") { _ = try raw.readGroups(statement) },
        Contender("GRDB Row") {
          let sum = try queue.read { try Row.fetchAll($0, sql: statement) }.reduce(Int64(0)) { sum, row in
            sum &+ row[0] &+ row[1] &+ row[2]
          }
          precondition(sum == expected)
        },
        Contender("propertiesToGroupBy", [.times(2)]) {
          let sum = try store.context().fetch(request).reduce(Int64(0)) { sum, row in
            ["a0", "count", "sum"].reduce(sum) { $0 &+ ((row[$1] as? NSNumber)?.int64Value ?? 0) }
          }
          precondition(sum == expected)
        },
      ]
    )
  }

  private static func column(_ name: String, _ format: String) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(format: format)
    column.expressionResultType = .integer64AttributeType
    return column
  }
}
