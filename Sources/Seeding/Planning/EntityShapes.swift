import CoreData
import Texts

/// The shapes of a model's entities, found by the names in seeds and created on first use.
struct EntityShapes {
  private let entitiesByName: [String: NSEntityDescription]
  private let names: EntityNames
  private(set) var naturalKeys = NaturalKeys()
  private var declared: [String: [String]] = [:]
  private var shapes: [String: EntityShape] = [:]
  private var shapesByWord: [String: EntityShape] = [:]

  init(_ model: NSManagedObjectModel) {
    entitiesByName = model.entitiesByName
    names = EntityNames(entitiesByName.keys)
  }

  /// The part of a remedy that says where a word for an entity comes from, when it is the name of the file.
  private static func origin(of word: String, at position: SeedPosition) -> String {
    let name = SeedFileName(position.file)
    guard name.stem == word else { return "" }
    return switch SeedFormat(name) {
    case .jsonLines, .separatedValues: "the file's name tells the entity; "
    case .json, .yaml, .propertyList, nil: "the file's name tells the entity of a list; "
    }
  }

  /// The shape of the entity that a name in a seed refers to.
  mutating func shape(for word: String, at position: SeedPosition) throws -> EntityShape {
    if let shape = shapesByWord[word] { return shape }
    let name: String
    switch names.match(word) {
    case .one(let match): name = match
    case .none:
      throw SeedError(
        code: .unknownEntity,
        at: position,
        problem: "the model has no entity that \"\(word.abbreviated)\" could mean",
        remedy: Self.origin(of: word, at: position)
          + Suggestion.remedy("word", word: word, among: names.all, of: "the model's entities are")
      )
    case .several(let matches):
      throw SeedError(
        code: .unknownEntity,
        at: position,
        problem: "\"\(word)\" could mean \(matches.joined(separator: " or "))",
        remedy: "write the entity's exact name"
      )
    }
    guard let shape = shape(named: name) else {
      throw SeedError(
        code: .unknownEntity,
        at: position,
        problem: "the model has no \(name)",
        remedy: "correct the word"
      )
    }
    shapesByWord[word] = shape
    return shape
  }

  mutating func shape(named name: String) -> EntityShape? {
    if let shape = shapes[name] { return shape }
    guard let entity = entitiesByName[name] else { return nil }
    let shape = EntityShape(entity, name: name, naturalKey: naturalKeys.key(of: entity))
    shapes[name] = shape
    return shape
  }

  /// Takes in the natural key that a header declares, which counts from here to the end of the run.
  mutating func declare(_ words: [String], of entityWord: String, at position: SeedPosition) throws {
    let shape = try shape(for: entityWord, at: position)
    let names = try words.map { try shape.property(named: $0, at: position).name }
    guard declared[shape.name] != names else { return }
    guard declared[shape.name] == nil else {
      throw SeedError(
        code: .ambiguousKey,
        at: position,
        problem: "another seed of this run declares another natural key for \(shape.name)",
        remedy: "declare the same in both, or load them one after the other"
      )
    }
    declared[shape.name] = names
    naturalKeys = NaturalKeys(declared: declared)
    guard names.isEmpty || naturalKeys.key(of: shape.entity) != nil else {
      let derived = names.first { shape.entity.attributesByName[$0] is NSDerivedAttributeDescription }
      throw SeedError(
        code: .noNaturalKey,
        at: position,
        problem: "\(names.joined(separator: ", ")) cannot be the natural key of \(shape.name)"
          + (derived.map { ": \($0) is derived from others, and no record can give it" } ?? ""),
        remedy:
          "give attributes of whole numbers, decimals, strings, dates, UUIDs or URIs, and relationships to one "
          + "object that has a natural key itself"
      )
    }
    try forgetUnused(at: position)
  }

  /// Shapes are made anew with the new keys, unless records or references have been read by the old ones.
  private mutating func forgetUnused(at position: SeedPosition) throws {
    for (name, shape) in shapes where shape.isInUse {
      let key = naturalKeys.key(of: shape.entity)
      guard key?.names != shape.naturalKey?.names else { continue }
      throw SeedError(
        code: .ambiguousKey,
        at: position,
        problem:
          "the natural key of \(name) is declared after records or references have been read without it",
        remedy: "declare it in the first seed of the run"
      )
    }
    shapes = shapes.filter { $1.isInUse }
    shapesByWord = shapesByWord.filter { $1.isInUse }
  }
}
