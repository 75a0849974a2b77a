import Foundation

/// Reads a seed as a property list, in XML or binary: a dictionary of lists of records, or a list of records of the
/// entity that the file is named after, as in JSON. Dates and data are those of the property list.
enum PropertyListSeed {
  static func reader(_ data: Data, file: String, word: String, limits: SeedLimits) throws -> SeedTree {
    let root: Any
    do {
      try PropertyListShape.check(data, mostValues: limits.mostValuesOfDocument)
    } catch {
      var position = SeedPosition(file: file)
      position.line = error.line
      throw SeedError(code: error.code, at: position, problem: error.problem, remedy: error.remedy)
    }
    do {
      root = try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      let problem = "the property list is broken: \(ErrorWords.describe(error))"
      throw SeedError(
        code: .brokenText,
        at: SeedPosition(file: file),
        problem: problem,
        remedy: "correct the file"
      )
    }
    if root is [Any] { return SeedTree(try records(root, of: word, file: file)) }
    guard let entities = root as? [String: Any] else {
      throw SeedError.wrongShape(
        at: SeedPosition(file: file),
        problem: "the seed is neither a dictionary whose keys are entities nor an array of records",
        remedy: shape
      )
    }
    return SeedTree(try entities.sorted { $0.key < $1.key }.flatMap { try records($1, of: $0, file: file) })
  }

  private static func records(_ list: Any, of word: String, file: String) throws -> [SeedRecord] {
    var position = SeedPosition(file: file)
    if word.hasPrefix(SeedHeader.word) {
      return [SeedRecord(header: word, value: try value(of: list, at: position), at: position)]
    }
    position.entity = word
    guard let list = list as? [Any] else {
      throw SeedError.wrongShape(at: position, problem: "the value is not an array of records", remedy: shape)
    }
    if list.isEmpty { return [SeedRecord(emptyListOf: word, at: position)] }
    return try list.enumerated().map { index, item in
      position.record = index + 1
      guard case .object(let fields) = try value(of: item, at: position) else {
        throw SeedError.wrongShape(at: position, problem: "the record is not a dictionary", remedy: shape)
      }
      return SeedRecord(entity: word, position: position, fields: fields)
    }
  }

  private static func value(of item: Any, at position: SeedPosition) throws -> SeedValue {
    if let value = SeedValue(plain: item) { return value }
    throw SeedError.wrongShape(
      at: position,
      problem: "a value is of a kind that no property list of a program has",
      remedy: "give strings, finite numbers, booleans, dates, data, arrays and dictionaries"
    )
  }

  private static let shape = "give an array of dictionaries for each entity"
}
