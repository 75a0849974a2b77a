import Foundation

/// Reads a seed with one JSON object a line, as JSON Lines and NDJSON are.
///
///     {"$entity": "notes", "title": "Hello", "tags": ["News"]}
///
/// A record without `$entity` is of the entity that the file is named after. Empty lines are skipped. JSON Lines has no
/// lists that could be empty, so that the line `{"$empty": ["tags"]}` names entities without records.
struct JSONLinesSeedReader: SeedRecordReader {
  private let file: String
  private let word: String
  private var window: SeedWindow
  private var offset = 0
  private var line = 0
  private var counts: [String: Int] = [:]
  /// The empty lists of a line, in reverse order.
  private var emptyLists: [SeedRecord] = []

  private static let emptyKey = "$empty"

  /// - Parameter word: The name for the entity of records that do not name one.
  init(_ bytes: SeedBytes, file: String, word: String) throws {
    self.file = file
    self.word = word
    window = try SeedWindow(bytes)
    try window.checkEncoding(file)
  }

  mutating func next() throws -> SeedRecord? {
    while true {
      if let empty = emptyLists.popLast() { return empty }
      guard let range = try nextLine() else { return nil }
      var json = JSONReader(bytes: window.bytes, range: range, file: file, line: line, limits: window.limits)
      guard json.peek() != nil else { continue }
      if let record = try record(&json) { return record }
    }
  }

  private mutating func nextLine() throws -> Range<Int>? {
    while true {
      let end = lineEnd
      guard end < window.bytes.count || window.isLast else {
        // A line whose loaded part is blank can be dropped from memory.
        if window.bytes[offset...].allSatisfy(\.isBlank) { offset = window.bytes.count }
        try window.extend(droppingFirst: offset, at: SeedPosition(file: file, line: line + 1))
        offset = 0
        continue
      }
      guard offset < window.bytes.count else { return nil }
      defer { offset = min(end + 1, window.bytes.count) }
      line += 1
      return offset..<end
    }
  }

  /// The end of the line that begins at the cursor, or the end of the loaded bytes.
  private var lineEnd: Int {
    window.bytes.withUnsafeBytes { bytes in
      guard offset < bytes.count, let start = bytes.baseAddress,
        let end = memchr(start + offset, Int32(UInt8(ascii: "\n")), bytes.count - offset)
      else { return bytes.count }
      return UnsafeRawPointer(end) - start
    }
  }

  /// A line that has only keys of a header is a header.
  private static func isHeader(_ fields: [SeedField]) -> Bool {
    !fields.isEmpty
      && fields.allSatisfy { $0.key.hasPrefix(SeedHeader.word) && !RecordPlanner.keys.contains($0.key) }
  }

  /// Nil for a line that names empty lists.
  private mutating func record(_ json: inout JSONReader) throws -> SeedRecord? {
    var position = SeedPosition(file: file)
    position.line = line
    guard case .object(var fields) = try json.value() else {
      throw SeedError.wrongShape(at: position, problem: "the line is not an object", remedy: Self.shape)
    }
    guard json.peek() == nil else { throw json.unexpected("the end of the line is expected") }
    if fields.count == 1, fields[0].key == Self.emptyKey {
      emptyLists = try Self.emptyLists(fields[0].value, at: position)
      return nil
    }
    if Self.isHeader(fields) { return SeedRecord(entity: SeedHeader.word, position: position, fields: fields) }
    let entity = try popEntity(from: &fields, at: position)
    counts[entity, default: 0] += 1
    position.entity = entity
    position.record = counts[entity]
    return SeedRecord(entity: entity, position: position, fields: fields)
  }

  private func popEntity(from fields: inout [SeedField], at position: SeedPosition) throws -> String {
    guard let index = fields.firstIndex(where: { $0.key == RecordPlanner.entityKey }) else { return word }
    guard case .string(let entity) = fields.remove(at: index).value else {
      let problem = "the value of \(RecordPlanner.entityKey) is not a string"
      throw SeedError.wrongShape(at: position, problem: problem, remedy: Self.shape)
    }
    return entity
  }

  private static func emptyLists(_ value: SeedValue, at position: SeedPosition) throws -> [SeedRecord] {
    let words = if case .array(let values) = value { values } else { [value] }
    return try words.reversed().map { word in
      guard case .string(let entity) = word else {
        throw SeedError.wrongShape(
          at: position,
          problem: "\(word.kind) stands under \(emptyKey)",
          remedy: "give the names of entities, such as {\"\(emptyKey)\": [\"tags\"]}"
        )
      }
      var position = position
      position.entity = entity
      return SeedRecord(emptyListOf: entity, at: position)
    }
  }

  private static let shape =
    "write one object a line, such as {\"\(RecordPlanner.entityKey)\": \"notes\", \"title\": \"Hello\"}"
}
