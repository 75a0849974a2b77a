import Foundation
import SwiftCSV

/// Reads a table as a seed (RFC 4180): one file an entity, keys in the first row, one record a row.
///
/// An empty field gives no value for its key. A to-many relationship has its keys separated by `|`. Fields are
/// separated by tabs in a `.tsv` file, elsewhere by what the first row has most likely: commas, semicolons or tabs.
/// The fields of a row are found by SwiftCSV, one row at a time: it reports no lines, and takes a text whose
/// quotation never ends for whole.
struct SeparatedValuesSeedReader: SeedRecordReader {
  private let file: String
  private let word: String
  private var rows: SeparatedRows
  private let delimiter: CSVDelimiter
  private let keys: [String]
  private var count = 0

  init(_ data: Data, file: String, word: String) throws {
    self.file = file
    self.word = word
    rows = SeparatedRows(data, file: file)
    guard let first = try rows.next() else {
      throw SeedError(
        .brokenText,
        at: SeedPosition(file: file),
        "the table is empty",
        remedy: "write the keys into the first row"
      )
    }
    delimiter = file.lowercased().contains(".tsv") ? .tab : .guessed(string: first.text)
    keys = try Self.fields(of: first, delimiter, file: file)
    try checkKeys(line: first.line)
  }

  mutating func next() throws -> SeedRecord? {
    guard let row = try rows.next() else { return nil }
    count += 1
    var position = SeedPosition(file: file)
    position.line = row.line
    position.entity = word
    position.record = count
    let fields = try Self.fields(of: row, delimiter, file: file)
    guard fields.count <= keys.count else {
      throw SeedError.wrongShape(
        at: position,
        "the row has \(fields.count) fields, and the first row \(keys.count) keys",
        remedy: "put a field that has the separator in it into double quotes"
      )
    }
    let given = zip(keys, fields).filter { !$1.isEmpty }
    return SeedRecord(
      entity: word,
      position: position,
      fields: given.map { SeedField(key: $0, value: .text($1)) }
    )
  }

  private func checkKeys(line: Int) throws {
    var position = SeedPosition(file: file)
    position.line = line
    var seen: Set<String> = []
    for key in keys {
      guard !key.isEmpty, seen.insert(key).inserted else {
        throw SeedError.wrongShape(
          at: position,
          key.isEmpty ? "a column has no key" : "the key \"\(key.abbreviated)\" stands twice",
          remedy: "give each column a key of its own in the first row"
        )
      }
    }
  }

  private static func fields(of row: SeparatedRows.Row, _ delimiter: CSVDelimiter, file: String) throws
    -> [String]
  {
    do {
      // The line end makes SwiftCSV keep an empty field at the end of the row.
      return try CSV<Enumerated>(string: row.text + "\n", delimiter: delimiter, loadColumns: false).header
    } catch {
      var position = SeedPosition(file: file)
      position.line = row.line
      throw SeedError(
        .brokenText,
        at: position,
        "the row is broken: \(ErrorWords.describe(error))",
        remedy: "put the whole field into double quotes, and double those within it"
      )
    }
  }
}

/// Splits a table into rows: at the ends of lines that are not within double quotes.
struct SeparatedRows {
  /// A row as it stands in the file, without the end of its line.
  struct Row {
    let text: String
    let line: Int
  }

  private let file: String
  private let bytes: [UInt8]
  private var offset: Int
  private var line = 1

  init(_ data: Data, file: String) {
    self.file = file
    bytes = [UInt8](data)
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next row that has something in it, nil after the last.
  mutating func next() throws -> Row? {
    while offset < bytes.count {
      let row = try takeRow()
      if row.text.contains(where: { !$0.isWhitespace }) { return row }
    }
    return nil
  }

  private mutating func takeRow() throws -> Row {
    let start = offset
    let firstLine = line
    var isQuoted = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n") {
        line += 1
        if !isQuoted { break }
      }
      offset += 1
    }
    guard !isQuoted else { throw broken("a double quote has no other that closes it", line: firstLine) }
    var end = offset
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    offset = min(offset + 1, bytes.count)
    guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
      throw broken("the row is not valid UTF-8", line: firstLine)
    }
    return Row(text: text, line: firstLine)
  }

  private func broken(_ problem: String, line: Int) -> SeedError {
    var position = SeedPosition(file: file)
    position.line = line
    return SeedError(.brokenText, at: position, problem, remedy: "correct the file")
  }
}
