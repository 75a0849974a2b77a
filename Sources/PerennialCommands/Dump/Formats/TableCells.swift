import Seeding
import Texts

/// The cells of a table for a field of a record: one cell in one column, or several in columns whose keys contain dots.
struct TableCells {
  enum Cell {
    /// The record clears the value.
    case nothing
    case text(String)
    /// A cell for each object of a to-many relationship.
    case list([String])
  }

  /// The reason that a table cannot express the value.
  struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The character that separates the objects of a to-many relationship.
  private static let separator = "|"
  private static let deepest = 10

  private(set) var cells: [String: Cell] = [:]

  init(name: String, value: ResultValue, kind: DumpedSeed.FieldKind) throws(Refusal) {
    switch (kind, value) {
    case (.transformable, .text), (.transformable, .none): break
    case (.transformable, _): throw Refusal("in a table, it would be a text")
    case (.relationship, .list(let values)):
      try addList(values, at: [name])
      return
    default: break
    }
    try add(value, at: [name], kind: kind)
    // The reader takes an object with only empty texts for no value.
    if case .fields = value, cells.values.allSatisfy(\.isEmptyText) {
      throw Refusal("a table has no words for an object without values")
    }
  }

  private mutating func add(_ value: ResultValue, at path: [String], kind: DumpedSeed.FieldKind)
    throws(Refusal)
  {
    switch value {
    case .none: try put(.nothing, at: path)
    case .list: throw Refusal("a table has no words for a list")
    case .fields(let fields):
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        try add(value, at: path + [key], kind: kind)
      }
    default:
      let text = try Self.text(value)
      guard kind == .attribute || !text.isEmpty else {
        throw Refusal("in a table, a text without characters would be no value")
      }
      if kind == .relationship, text.first?.isWhitespace == true || text.last?.isWhitespace == true {
        throw Refusal("in a table, the key \"\(text.abbreviated)\" would be one without blanks at its ends")
      }
      if text.isEmpty, case .data = value { throw Refusal("in a table, data without bytes would be no value") }
      try put(.text(text), at: path)
    }
  }

  /// Adds a to-many relationship. All of its objects must be identified by the same keys.
  private mutating func addList(_ values: [ResultValue], at path: [String]) throws(Refusal) {
    let objects = values.compactMap { if case .fields(let fields) = $0 { fields } else { nil } }
    if objects.isEmpty {
      var texts: [String] = []
      for value in values { texts.append(try Self.listed(value)) }
      return try put(.list(texts), at: path)
    }
    let keys = objects.map { $0.keys.sorted() }
    guard objects.count == values.count, keys.allSatisfy({ $0 == keys[0] }), let first = keys.first else {
      throw Refusal("in a list of a table, all objects are told by the same keys")
    }
    for key in first { try addList(objects.compactMap { $0[key] }, at: path + [key]) }
  }

  private static func listed(_ value: ResultValue) throws(Refusal) -> String {
    if case .none = value { throw Refusal("a list of a table has no words for no value") }
    if case .list = value { throw Refusal("a table has no words for a list in a list") }
    let text = try Self.text(value)
    let isBare =
      !text.contains(separator) && text.first?.isWhitespace == false && text.last?.isWhitespace == false
    guard isBare else { throw Refusal("in a list of a table, the key \"\(text.abbreviated)\" would be another") }
    return text
  }

  private static func text(_ value: ResultValue) throws(Refusal) -> String {
    let text =
      switch value {
      case .real(let number) where !number.isFinite: "\(number)"
      case .bool, .integer, .real, .decimal: (try? SeedJSON.text(value)) ?? value.plainText
      default: value.plainText
      }
    guard !text.utf8.contains(0) else { throw Refusal("a table has no words for a character that is 0") }
    return text
  }

  private mutating func put(_ cell: Cell, at path: [String]) throws(Refusal) {
    guard path.count <= Self.deepest, !path.contains(where: { $0.isEmpty || $0.contains(".") }) else {
      throw Refusal("a table has no column for \(path.joined(separator: ".").abbreviated)")
    }
    cells[path.joined(separator: ".")] = cell
  }
}

extension TableCells.Cell {
  fileprivate var isEmptyText: Bool {
    if case .text(let text) = self { text.isEmpty } else { false }
  }

  /// The text of the cell in a row.
  var field: String {
    switch self {
    case .nothing: "\\N"
    case .list(let texts): Self.quoted(texts.joined(separator: "|"))
    case .text(let text): text.isEmpty || text == "\\N" ? "\"\(text)\"" : Self.quoted(text)
    }
  }

  /// The text, in double quotes where a reader would otherwise split or change it.
  private static func quoted(_ field: String) -> String {
    let special = field.utf8.contains { [0x2C, 0x22, 0x0A, 0x0D, 0x09, 0x3B].contains($0) }
    let isAtRisk = field.first?.isWhitespace == true || field.last?.isWhitespace == true
    guard special || isAtRisk else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
