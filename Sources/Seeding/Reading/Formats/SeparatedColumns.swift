import Texts

/// The columns of a table, by the keys in its first row.
///
/// A key with dots is a path: the columns `card.suit` and `card.value` make one object under
/// `card`, and `photo.$file` the object `{"$file": …}` under `photo`.
struct SeparatedColumns {
  /// The fault of the keys, and its remedy.
  struct Failure: Error {
    let problem: String
    let remedy: String
  }

  /// The field that empties a value, as in the text files of PostgreSQL and MySQL. In quotes it is ordinary text.
  static let nothing = "\\N"

  private struct Column {
    let path: [String]
    /// True when the value is the format's own, such as a label.
    let isOfFormat: Bool
  }

  private static let deepest = 10

  private let columns: [Column]
  private let hasPaths: Bool

  var count: Int { columns.count }

  init(_ keys: [SeparatedFields.Field]) throws(Failure) {
    var seen: Set<[String]> = []
    var columns: [Column] = []
    for key in keys {
      let text = key.text.trimmingBlanks
      let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !text.isEmpty else { throw Failure(problem: "a column has no key", remedy: Self.remedy) }
      guard path.count <= Self.deepest, !path.contains("") else {
        throw Failure(
          problem: "the key \"\(text.abbreviated)\" is not a path of keys with dots between them",
          remedy: "write at most \(Self.deepest) keys such as card.suit"
        )
      }
      guard seen.insert(path).inserted else {
        throw Failure(problem: "the key \"\(text.abbreviated)\" stands twice", remedy: Self.remedy)
      }
      columns.append(Column(path: path, isOfFormat: path.contains { $0.hasPrefix(SeedHeader.word) }))
    }
    self.columns = columns
    hasPaths = columns.contains { $0.path.count > 1 }
  }

  private static let remedy = "give each column a key of its own in the first row"

  /// The fields of a row, without those of empty columns.
  func fields(_ row: [SeparatedFields.Field]) -> [SeedField] {
    var fields: [SeedField] = []
    fields.reserveCapacity(row.count)
    for (column, field) in zip(columns, row) {
      guard let value = Self.value(field, column: column) else { continue }
      if column.path.count == 1 {
        fields.append(SeedField(key: column.path[0], value: value))
      } else {
        Self.put(value, at: column.path[...], into: &fields)
      }
    }
    return hasPaths ? fields.map(Self.completed) : fields
  }

  private static func value(_ field: SeparatedFields.Field, column: Column) -> SeedValue? {
    if field.isQuoted { return field.text.isEmpty && column.isOfFormat ? nil : .text(field.text) }
    let text = field.text.trimmingBlanks
    if text.isEmpty { return nil }
    return text == nothing ? .null : .text(field.text)
  }

  private static func put(_ value: SeedValue, at path: ArraySlice<String>, into fields: inout [SeedField]) {
    guard let key = path.first else { return }
    guard path.count > 1 else { return fields.append(SeedField(key: key, value: value)) }
    var inner: [SeedField] = []
    // Another row may fill the column of the whole value. If one row fills both, both are kept, and
    // a later check reports the conflict.
    let index = fields.firstIndex { field in
      if field.key == key, case .object = field.value { true } else { false }
    }
    if let index, case .object(let present) = fields[index].value { inner = present }
    put(value, at: path.dropFirst(), into: &inner)
    if let index {
      fields[index] = SeedField(key: key, value: .object(inner))
    } else {
      fields.append(SeedField(key: key, value: .object(inner)))
    }
  }

  /// If a value from elsewhere is emptied, as in `photo.$file` with `\N`, the whole value is null.
  private static func completed(_ field: SeedField) -> SeedField {
    guard case .object(let inner) = field.value else { return field }
    let fields = inner.map(completed)
    let isEmptied =
      fields.allSatisfy { $0.value == .null } && fields.contains { $0.key.hasPrefix(SeedHeader.word) }
    return SeedField(key: field.key, value: isEmptied ? .null : .object(fields))
  }
}

extension String {
  /// Without the blanks at its ends, or the text itself where it has none: most have none.
  fileprivate var trimmingBlanks: String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
    return String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
