import Foundation

/// Reads a seed with one JSON object a line, as JSON Lines and NDJSON are.
///
///     {"$entity": "notes", "title": "Hello", "tags": ["News"]}
///
/// A record without `$entity` is of the entity that the file is named after. Empty lines are passed.
struct JSONLinesSeedReader: SeedRecordReader {
  private let file: String
  private let word: String
  private var window: SeedWindow
  private var offset = 0
  private var line = 0
  private var counts: [String: Int] = [:]

  /// - Parameter word: The word for the entity of records that name none.
  init(_ bytes: SeedBytes, file: String, word: String) throws {
    self.file = file
    self.word = word
    window = try SeedWindow(bytes)
  }

  mutating func next() throws -> SeedRecord? {
    while let range = try nextLine() {
      var json = JSONReader(window.bytes, range, file: file, line: line, limits: window.limits)
      guard json.peek() != nil else { continue }
      return try record(&json)
    }
    return nil
  }

  private mutating func nextLine() throws -> Range<Int>? {
    while true {
      let end = lineEnd
      guard end < window.bytes.count || window.isLast else {
        // A line that is blank as far as it is at hand need not be at hand.
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

  /// Where the line ends that begins at the cursor, as far as it is at hand.
  private var lineEnd: Int {
    window.bytes.withUnsafeBytes { bytes in
      guard offset < bytes.count, let start = bytes.baseAddress,
        let end = memchr(start + offset, Int32(UInt8(ascii: "\n")), bytes.count - offset)
      else { return bytes.count }
      return UnsafeRawPointer(end) - start
    }
  }

  /// A line that has keys of a header and nothing else is one.
  private static func isHeader(_ fields: [SeedField]) -> Bool {
    !fields.isEmpty
      && fields.allSatisfy { $0.key.hasPrefix(SeedHeader.word) && !RecordPlanner.keys.contains($0.key) }
  }

  private mutating func record(_ json: inout JSONReader) throws -> SeedRecord {
    var position = SeedPosition(file: file)
    position.line = line
    guard case .object(var fields) = try json.value() else {
      throw SeedError.wrongShape(at: position, "the line is not an object", remedy: Self.shape)
    }
    guard json.peek() == nil else { throw json.unexpected("the end of the line is expected") }
    if Self.isHeader(fields) {
      return SeedRecord(entity: SeedHeader.word, position: position, fields: fields)
    }
    let entity = try takeEntity(from: &fields, at: position)
    counts[entity, default: 0] += 1
    position.entity = entity
    position.record = counts[entity]
    return SeedRecord(entity: entity, position: position, fields: fields)
  }

  private func takeEntity(from fields: inout [SeedField], at position: SeedPosition) throws -> String {
    guard let index = fields.firstIndex(where: { $0.key == RecordPlanner.entityKey }) else { return word }
    guard case .string(let entity) = fields.remove(at: index).value else {
      let problem = "the value of \(RecordPlanner.entityKey) is no string"
      throw SeedError.wrongShape(at: position, problem, remedy: Self.shape)
    }
    return entity
  }

  private static let shape =
    "write one object a line, such as {\"\(RecordPlanner.entityKey)\": \"notes\", \"title\": \"Hello\"}"
}
