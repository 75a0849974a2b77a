import CoreData
import Foundation
import GRDB
import Samples

/// Groups as dictionaries, beside the one statement that makes them.
extension Benchmarks {
  static let groupedRows = 20_000
  private static let groups = 100

  /// The statement that the request becomes.
  private static let statement = "SELECT ZA0, COUNT(*), SUM(ZA1) FROM ZSAMPLE GROUP BY ZA0"

  static func grouping(_ files: SampleFiles) throws -> Workload {
    let url = try files.make(rows: groupedRows)
    let raw = try RawSQLite(url.path)
    try raw.execute("UPDATE ZSAMPLE SET ZA0 = Z_PK % \(groups)")
    let expected = try raw.readGroups(statement)
    var workload = Workload(
      name: "group \(groupedRows) rows into \(groups), with their number and a sum",
      raw: try Stopwatch.best { _ = try raw.readGroups(statement) }
    )
    let queue = try DatabaseQueue(path: url.path)
    let rows = try Stopwatch.best {
      let sum = try queue.read { try Row.fetchAll($0, sql: statement) }.reduce(Int64(0)) { sum, row in
        sum &+ row[0] &+ row[1] &+ row[2]
      }
      precondition(sum == expected)
    }
    workload.entries.append(("GRDB Row", rows, nil))
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["a0", column("count", "count:(SELF)"), column("sum", "sum:(a1)")]
    request.propertiesToGroupBy = ["a0"]
    let dictionaries = try Stopwatch.best {
      let sum = try store.context().fetch(request).reduce(Int64(0)) { sum, row in
        ["a0", "count", "sum"].reduce(sum) { $0 &+ ((row[$1] as? NSNumber)?.int64Value ?? 0) }
      }
      precondition(sum == expected)
    }
    workload.entries.append(("propertiesToGroupBy", dictionaries, 2))
    return workload
  }

  private static func column(_ name: String, _ format: String) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(format: format)
    column.expressionResultType = .integer64AttributeType
    return column
  }
}
