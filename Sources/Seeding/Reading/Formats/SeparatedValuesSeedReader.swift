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

  init(_ bytes: SeedBytes, file: String, word: String) throws {
    self.file = file
    self.word = word
    rows = try SeparatedRows(bytes, file: file)
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
  private var window: SeedWindow
  private var offset = 0
  private var line = 1

  init(_ bytes: SeedBytes, file: String) throws {
    self.file = file
    window = try SeedWindow(bytes)
  }

  /// The next row that has something in it, nil after the last.
  mutating func next() throws -> Row? {
    while let row = try takeRow() {
      if row.text.contains(where: { !$0.isWhitespace }) { return row }
    }
    return nil
  }

  private mutating func takeRow() throws -> Row? {
    var extent = extent
    while extent.end == window.bytes.count, !window.isLast {
      try window.extend(droppingFirst: offset)
      offset = 0
      extent = self.extent
    }
    guard offset < window.bytes.count else { return nil }
    let firstLine = line
    guard !extent.isQuoted else {
      throw broken("a double quote has no other that closes it", line: firstLine)
    }
    let start = offset
    line += extent.lines
    offset = min(extent.end + 1, window.bytes.count)
    let hasReturn = extent.end > start && window.bytes[extent.end - 1] == UInt8(ascii: "\r")
    let bytes = window.bytes[start..<(hasReturn ? extent.end - 1 : extent.end)]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw broken("the row is not valid UTF-8", line: firstLine)
    }
    return Row(text: text, line: firstLine)
  }

  /// Where the row ends that begins at the cursor, as far as it is at hand; its lines; whether it ends within quotes.
  private var extent: (end: Int, lines: Int, isQuoted: Bool) {
    let bytes = window.bytes
    var (end, lines, isQuoted) = (offset, 0, false)
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[end] == UInt8(ascii: "\n") {
        lines += 1
        if !isQuoted { break }
      }
      end += 1
    }
    return (end, lines, isQuoted)
  }

  private func broken(_ problem: String, line: Int) -> SeedError {
    var position = SeedPosition(file: file)
    position.line = line
    return SeedError(.brokenText, at: position, problem, remedy: "correct the file")
  }
}
