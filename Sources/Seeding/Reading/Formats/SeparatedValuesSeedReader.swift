import Foundation

/// Reads a table as a seed (RFC 4180): one file an entity, keys in the first row, one record a row.
///
/// An empty field gives no value for its key, and `\N` empties it. A to-many relationship has its
/// keys separated by `|`. A key with dots is a path. Fields are separated by tabs in a `.tsv` file,
/// and elsewhere by the first comma, semicolon or tab in the first row.
struct SeparatedValuesSeedReader: SeedRecordReader {
  private let file: String
  private let word: String
  private var rows: SeparatedRows
  private let separator: UInt8
  private let columns: SeparatedColumns
  private var count = 0
  private var isAtEnd = false

  init(_ bytes: SeedBytes, file: String, word: String) throws {
    self.file = file
    self.word = word
    rows = try SeparatedRows(bytes, file: file)
    guard let first = try rows.next() else {
      throw SeedError(
        code: .brokenText,
        at: SeedPosition(file: file),
        problem: "the table is empty",
        remedy: "write the keys into the first row"
      )
    }
    separator =
      file.lowercased().contains(".tsv") ? UInt8(ascii: "\t") : SeparatedFields.separator(in: first.text)
    let keys = try Self.fields(of: first, separator: separator, file: file)
    do {
      columns = try SeparatedColumns(keys)
    } catch {
      throw SeedError.wrongShape(
        at: SeedPosition(file: file, line: first.line),
        problem: error.problem,
        remedy: error.remedy
      )
    }
  }

  mutating func next() throws -> SeedRecord? {
    guard let row = try rows.next() else { return emptyTable() }
    count += 1
    var position = SeedPosition(file: file, line: row.line)
    position.entity = word
    position.record = count
    let fields = try Self.fields(of: row, separator: separator, file: file)
    guard fields.count == columns.count else {
      throw SeedError.wrongShape(
        at: position,
        problem: "the row has \(fields.count) fields, and the first row \(columns.count) keys",
        remedy: fields.count > columns.count
          ? "put a field that has the separator in it into double quotes"
          : "give an empty field for each key without a value"
      )
    }
    return SeedRecord(entity: word, position: position, fields: columns.fields(fields), isRow: true)
  }

  /// The record after the last row: a table without rows gives, once, an empty list.
  private mutating func emptyTable() -> SeedRecord? {
    guard count == 0, !isAtEnd else { return nil }
    isAtEnd = true
    var position = SeedPosition(file: file, line: 1)
    position.entity = word
    return SeedRecord(emptyListOf: word, at: position)
  }

  private static func fields(of row: SeparatedRows.Row, separator: UInt8, file: String) throws
    -> [SeparatedFields.Field]
  {
    do {
      return try SeparatedFields.split(row.text, at: separator)
    } catch {
      throw SeedError(
        code: .brokenText,
        at: SeedPosition(file: file, line: row.line),
        problem: "the row is broken: \(error.problem)",
        remedy: "put the whole field into double quotes, and double those within it"
      )
    }
  }
}
