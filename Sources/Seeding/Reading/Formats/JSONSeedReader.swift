import Foundation
import Texts

/// Reads a seed in JSON: an object whose keys name entities and whose values are lists of records.
///
///     { "tags": [ { "name": "News" } ], "notes": [ { "title": "Hello", "tags": ["News"] } ] }
///
/// A list at the top level, instead of an object, has records of the entity that the file is named after.
struct JSONSeedReader: SeedRecordReader {
  private enum Place {
    case start
    /// Before a key, a comma or the end of the seed.
    case betweenEntities(isFirst: Bool)
    case beforeKey
    /// Before a record, a comma or the end of the list.
    case inRecords(entity: String, count: Int)
    case beforeRecord(entity: String, count: Int)
    case behindSeed
    case end
  }

  private var window: SeedWindow
  private var json: JSONReader
  private var place = Place.start
  private var entities: Set<String> = []
  /// The word for the entity of records in a seed that is a list.
  private let word: String
  /// True when the seed is a list of records.
  private var isList = false

  /// - Parameter word: The word for the entity of records in a seed that is a list.
  init(_ bytes: SeedBytes, file: String, word: String) throws {
    self.word = word
    window = try SeedWindow(bytes)
    try window.checkEncoding(file)
    json = JSONReader(bytes: window.bytes, range: 0..<window.bytes.count, file: file, limits: window.limits)
  }

  /// Parses the loaded bytes step by step. If they end within a step, the reader loads more and
  /// repeats the step from its first character that is not blank.
  mutating func next() throws -> SeedRecord? {
    while true {
      let (json, place) = (json, place)
      do {
        if let record = try step() { return record }
        if case .end = self.place { return nil }
        continue
      } catch {
        guard self.json.cameToEnd, !window.isLast else { throw error }
        (self.json, self.place) = (json, place)
      }
      let position = position()
      try window.extend(droppingFirst: self.json.offset, at: position)
      self.json.refill(with: window.bytes)
    }
  }

  /// Performs one step: returns the record at the position, if there is one, and advances.
  private mutating func step() throws -> SeedRecord? {
    switch place {
    case .start: try openSeed()
    case .betweenEntities(let isFirst): try readSeparator(isFirst: isFirst)
    case .beforeKey: return try openEntity()
    case .inRecords(let entity, let count): return try readRecord(in: entity, after: count)
    case .beforeRecord(let entity, let count): return try record(of: entity, after: count)
    case .behindSeed: try close()
    case .end: break
    }
    return nil
  }

  private mutating func openSeed() throws {
    guard json.peek() != nil else { throw json.broken("the text is empty") }
    if json.skip(UInt8(ascii: "{")) {
      place = .betweenEntities(isFirst: true)
      return
    }
    let position = position()
    isList = json.skip(UInt8(ascii: "["))
    if isList {
      place = .inRecords(entity: word, count: 0)
      return
    }
    let isJSON = (try? json.value()) != nil
    guard isJSON else { throw json.unexpected("\"{\" or \"[\" is expected at the start of the seed") }
    throw wrongShape(position, problem: "the seed is neither an object whose keys are entities nor a list of records")
  }

  private mutating func readSeparator(isFirst: Bool) throws {
    guard json.peek() != nil else { throw json.unexpected("a key in double quotes is expected") }
    if isFirst ? json.skip(UInt8(ascii: "}")) : !json.skip(UInt8(ascii: ",")) {
      if !isFirst { try json.expect("}", place: "or a comma after a list of records") }
      place = .behindSeed
    } else {
      place = .beforeKey
    }
  }

  private mutating func close() throws {
    guard json.peek() == nil, window.isLast else { throw json.unexpected("the end of the text is expected") }
    place = .end
  }

  /// Goes into the list of an entity. A key that begins with a dollar sign is a part of the header.
  private mutating func openEntity() throws -> SeedRecord? {
    var position = position()
    let entity = try json.key()
    if entity.hasPrefix(SeedHeader.word) {
      let header = SeedRecord(header: entity, value: try json.value(), at: position)
      place = .betweenEntities(isFirst: false)
      return header
    }
    position.entity = entity
    guard !entities.contains(entity) else {
      throw wrongShape(position, problem: "the key \"\(entity.abbreviated)\" stands twice")
    }
    guard json.skip(UInt8(ascii: "[")) else {
      _ = try json.value()
      throw wrongShape(position, problem: "the value of \"\(entity.abbreviated)\" is not a list of records")
    }
    entities.insert(entity)
    place = .inRecords(entity: entity, count: 0)
    return nil
  }

  private mutating func readRecord(in entity: String, after count: Int) throws -> SeedRecord? {
    guard json.peek() != nil else { throw json.unexpected("a value is expected") }
    if count == 0 {
      var position = position()
      position.entity = entity
      if json.skip(UInt8(ascii: "]")) {
        place = placeBehindList
        return SeedRecord(emptyListOf: entity, at: position)
      }
    } else if !json.skip(UInt8(ascii: ",")) {
      try json.expect("]", place: "or a comma after a record")
      place = placeBehindList
      return nil
    }
    place = .beforeRecord(entity: entity, count: count)
    return nil
  }

  private var placeBehindList: Place { isList ? .behindSeed : .betweenEntities(isFirst: false) }

  private mutating func record(of entity: String, after count: Int) throws -> SeedRecord? {
    var position = position()
    position.entity = entity
    position.record = count + 1
    guard case .object(let fields) = try json.value() else {
      throw wrongShape(position, problem: "the record is not an object")
    }
    place = .inRecords(entity: entity, count: count + 1)
    return SeedRecord(entity: entity, position: position, fields: fields)
  }

  /// The position of the next value.
  private mutating func position() -> SeedPosition {
    _ = json.peek()
    return SeedPosition(file: json.file, line: json.line())
  }

  private func wrongShape(_ position: SeedPosition, problem: String) -> SeedError {
    let shape = "write {\"entities\": [{\"key\": value}]}: a list of objects for each entity"
    return .wrongShape(at: position, problem: problem, remedy: shape)
  }
}
