import Foundation
import Seeding

/// The records of one entity as a table (RFC 4180): the keys in the first row, then a row for each record.
struct TableSeedText: SeedText {
  /// A column that every table may have. An empty cell in it means no value.
  private static let label = "$id"

  var isTable: Bool { true }

  /// Refuses a seed that needs a header, because a table has none.
  func refusal(of seed: DumpedSeed) -> String? {
    if seed.isPlain {
      return "the model has annotations for seeds, and a table has no header that says to pass over them"
    }
    guard let name = seed.entities.first(where: { seed.keys[$0.name] != nil })?.name else { return nil }
    return
      "the model's natural key of \(name) does not tell its objects apart, and a table has no header that says so"
  }

  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String? {
    do throws(TableCells.Refusal) {
      _ = try TableCells(name: "field", value: value, kind: kind)
      return nil
    } catch {
      return error.reason
    }
  }

  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    guard let (name, records) = seed.entities.first else { return Data() }
    let rows = try records.map { record in
      try record.fields.reduce(into: [String: TableCells.Cell]()) { cells, field in
        let kind = seed.kinds[name]?[field.key] ?? .attribute
        cells.merge(try TableCells(name: field.key, value: field.value, kind: kind).cells) { $1 }
      }
    }
    var columns = Set(rows.flatMap(\.keys)).sorted()
    // A reader skips an empty line. A second column gives such a row a separator.
    if columns.count < 2, rows.contains(where: \.isEmpty), columns != [Self.label] { columns.append(Self.label) }
    var text = Self.row(columns)
    for row in rows { text += Self.row(columns.map { row[$0]?.field ?? "" }) }
    return Data(text.utf8)
  }

  private static func row(_ fields: [String]) -> String {
    (fields == [""] ? "\"\"" : fields.joined(separator: ",")) + "\n"
  }
}
