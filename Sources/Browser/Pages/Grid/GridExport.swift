import Foundation
import Hummingbird
import NIOCore
import StoreExploration
import Texts

/// The file formats for exporting the rows of a grid.
enum ExportFormat: String, CaseIterable, Sendable {
  case csv, json

  var type: String {
    switch self {
    case .csv: "text/csv; charset=utf-8"
    case .json: "application/json; charset=utf-8"
    }
  }
}

extension BrowserPages {
  /// Exports all rows of a grid, writing while it reads. A failure during the export closes the connection, so that
  /// the client does not accept a part as the whole.
  func export(_ query: GridQuery, as format: ExportFormat) async throws -> Response {
    // An error in the query is reported before the response begins.
    _ = try await StoreGrid(explored).page(query.fromStart, size: 1, within: readLimit)
    let grid = StoreGrid(explored)
    let hasPlaces = grid.hasPlaces(query)
    // The body is written after the request's task has left the scope of its limit.
    let limit = ReadLimit.current
    let body = ResponseBody { writer in
      var text = ExportText(format, hasPlaces: hasPlaces)
      try await ReadLimit.$current.withValue(limit) {
        try await grid.forEachPage(of: query, within: readLimit) { columns, rows in
          let part = text.part(columns, rows: rows)
          try await writer.write(ByteBuffer(string: part))
        }
      }
      try await writer.write(ByteBuffer(string: text.end))
      try await writer.finish(nil)
    }
    let name = Self.fileName(of: query.entity)
    return Response(
      status: .ok,
      headers: [
        .contentType: format.type,
        .contentDisposition: "attachment; filename=\"\(name).\(format.rawValue)\"",
      ],
      body: body
    )
  }

  /// Returns the letters of an entity's name that a header field may contain.
  static func fileName(of entity: String) -> String {
    let letters = entity.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }
    return letters.isEmpty ? "objects" : String(String.UnicodeScalarView(letters))
  }
}

/// Writes rows in an export format.
struct ExportText {
  private let format: ExportFormat
  private let hasPlaces: Bool
  private var isFirst = true

  /// Makes an empty text.
  ///
  /// - Parameter hasPlaces: true where each row has its position in an ordered relationship.
  init(_ format: ExportFormat, hasPlaces: Bool = false) {
    self.format = format
    self.hasPlaces = hasPlaces
  }

  /// Returns the text of some rows. The first call also returns the text before the first row.
  mutating func part(_ columns: [GridColumn], rows: [GridRow]) -> String {
    switch format {
    case .csv:
      let first = hasPlaces ? ["place", "key"] : ["key"]
      var text = isFirst ? CSVLine.text((first + columns.map(\.name)).map(CSVLine.guarded)) : ""
      isFirst = false
      for row in rows {
        let place = hasPlaces ? [row.number.map(String.init) ?? ""] : []
        text += CSVLine.text(place + ["\(row.link.key)"] + row.cells.map(Self.field))
      }
      return text
    case .json:
      var text = ""
      for row in rows {
        text += isFirst ? "[\n" : ",\n"
        isFirst = false
        let members =
          (row.number.map { [("$place", "\($0)")] } ?? [])
          + [("$key", "\(row.link.key)"), ("$entity", Self.quoted(row.link.entity))]
          + zip(columns, row.cells).map { ($0.name, Self.json($1)) }
        text += "{" + members.map { "\(Self.quoted($0)): \($1)" }.joined(separator: ", ") + "}"
      }
      return text
    }
  }

  /// The text after the last row.
  var end: String {
    switch format {
    case .csv: ""
    case .json: isFirst ? "[]\n" : "\n]\n"
    }
  }

  private static func field(_ cell: GridCell) -> String {
    switch cell {
    case .absent, .value(.none): ""
    case .value(let value): value.isNumber ? value.plainText : CSVLine.guarded(text(value))
    case .object(let link): CSVLine.guarded(link.name)
    case .count(let count, let isCapped): isCapped ? "\(count)+" : "\(count)"
    case .unreadable(let reason): CSVLine.guarded("cannot be read: \(reason)")
    }
  }

  /// Returns a value as a lossless text.
  private static func text(_ value: ShownValue) -> String {
    switch value {
    case .text(let text), .address(let text), .described(let text, _): text
    case .data(let data, _): data.base64EncodedString()
    case .fields(let fields): fields.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ")
    default: value.plainText
    }
  }

  private static func json(_ cell: GridCell) -> String {
    switch cell {
    case .absent: "null"
    case .value(let value): json(value)
    case .object(let link):
      "{\"$entity\": \(quoted(link.entity)), \"$key\": \(link.key), \"name\": \(quoted(link.name))}"
    case .count(let count, let isCapped): isCapped ? "\"\(count)+\"" : "\(count)"
    case .unreadable(let reason): "{\"$problem\": \(quoted(reason))}"
    }
  }

  private static func json(_ value: ShownValue) -> String {
    switch value {
    case .none: "null"
    case .boolean(let value): value ? "true" : "false"
    // JSON has no notation for numbers that are not finite.
    case .number(let digits): digits.allSatisfy { "+-.eE0123456789".contains($0) } ? digits : quoted(digits)
    case .fields(let fields):
      "{" + fields.map { "\(quoted($0.name)): \(json($0.value))" }.joined(separator: ", ") + "}"
    default: quoted(text(value))
    }
  }

  /// Returns a JSON string. Characters that a terminal interprets as commands, or that change the direction of a
  /// text, are escaped too.
  static func quoted(_ text: String) -> String {
    let escaped = text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default:
        scalar.isCommand || scalar.turnsDirection
          ? "\\u" + HexadecimalDigits.of(UInt64(scalar.value), count: 4) : nil
      }
    }
    return "\"\(escaped)\""
  }
}
