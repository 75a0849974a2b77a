import Foundation

/// Reads a seed in JSON: an object whose keys name entities and whose values are lists of records.
///
///     { "tags": [ { "name": "News" } ], "notes": [ { "title": "Hello", "tags": ["News"] } ] }
struct JSONSeedReader: SeedRecordReader {
  private enum Place {
    case start
    case betweenEntities(isFirst: Bool)
    case inRecords(entity: String, count: Int)
    case end
  }

  private var window: SeedWindow
  private var json: JSONReader
  private var place = Place.start
  private var entities: Set<String> = []

  init(_ bytes: SeedBytes, file: String) throws {
    window = try SeedWindow(bytes)
    json = JSONReader(window.bytes, 0..<window.bytes.count, file: file)
  }

  /// Reads in what is at hand. Where that ends within something, more is taken in and that is read once more.
  mutating func next() throws -> SeedRecord? {
    while true {
      let (json, place, entities) = (json, place, entities)
      do {
        return try nextAtHand()
      } catch {
        guard self.json.cameToEnd, !window.isLast else { throw error }
        (self.json, self.place, self.entities) = (json, place, entities)
      }
      try window.extend(droppingFirst: self.json.offset)
      self.json.goOn(with: window.bytes)
    }
  }

  private mutating func nextAtHand() throws -> SeedRecord? {
    while true {
      switch place {
      case .start:
        try openSeed()
      case .betweenEntities(let isFirst):
        if let header = try openEntity(isFirst: isFirst) { return header }
      case .inRecords(let entity, let count):
        if let record = try record(of: entity, after: count) { return record }
      case .end:
        return nil
      }
    }
  }

  private mutating func openSeed() throws {
    guard json.peek() != nil else { throw json.broken("the text is empty") }
    guard json.skip(UInt8(ascii: "{")) else {
      let isJSON = (try? json.value()) != nil
      guard isJSON else { throw json.unexpected("\"{\" is expected at the start of the seed") }
      throw wrongShape(position(), "the seed is not an object whose keys are entities")
    }
    place = .betweenEntities(isFirst: true)
  }

  /// Goes into the list of an entity. A key that begins with a dollar sign is a part of the header.
  private mutating func openEntity(isFirst: Bool) throws -> SeedRecord? {
    if isFirst ? json.skip(UInt8(ascii: "}")) : !json.skip(UInt8(ascii: ",")) {
      if !isFirst { try json.expect("}", "or a comma after a list of records") }
      guard json.peek() == nil, window.isLast else {
        throw json.unexpected("the end of the text is expected")
      }
      place = .end
      return nil
    }
    var position = position()
    let entity = try json.key()
    if entity.hasPrefix(SeedHeader.word) {
      place = .betweenEntities(isFirst: false)
      return SeedRecord(header: entity, try json.value(), at: position)
    }
    position.entity = entity
    guard entities.insert(entity).inserted else {
      throw wrongShape(position, "the key \"\(entity)\" stands twice")
    }
    guard json.peek() == UInt8(ascii: "[") else {
      _ = try json.value()
      throw wrongShape(position, "the value of \"\(entity)\" is not a list of records")
    }
    _ = json.skip(UInt8(ascii: "["))
    if json.skip(UInt8(ascii: "]")) {
      place = .betweenEntities(isFirst: false)
    } else {
      place = .inRecords(entity: entity, count: 0)
    }
    return nil
  }

  private mutating func record(of entity: String, after count: Int) throws -> SeedRecord? {
    if count > 0, !json.skip(UInt8(ascii: ",")) {
      try json.expect("]", "or a comma after a record")
      place = .betweenEntities(isFirst: false)
      return nil
    }
    place = .inRecords(entity: entity, count: count + 1)
    var position = position()
    position.entity = entity
    position.record = count + 1
    guard case .object(let fields) = try json.value() else {
      throw wrongShape(position, "the record is not an object")
    }
    return SeedRecord(entity: entity, position: position, fields: fields)
  }

  /// The position of the next value.
  private mutating func position() -> SeedPosition {
    _ = json.peek()
    var position = SeedPosition(file: json.file)
    position.line = json.line()
    return position
  }

  private func wrongShape(_ position: SeedPosition, _ problem: String) -> SeedError {
    let shape = "write {\"entities\": [{\"key\": value}]}: a list of objects for each entity"
    return .wrongShape(at: position, problem, remedy: shape)
  }
}
