import CoreData
import Texts

/// The facts that the planner and the writer need of an entity, looked up once and not once a record.
final class EntityShape {
  let entity: NSEntityDescription
  let name: String
  let naturalKey: NaturalKey?
  let words: PropertyWords
  let recordTransformer: String?
  let entityMapper: String?

  /// The names of properties that the model's user info has given to new objects alone.
  let createOnly: Set<String>

  /// True when a record or a reference has been read by this shape.
  var isInUse = false

  private let transformers: [String: String]
  private let dateStrategies: [String: DateStrategy]

  init(_ entity: NSEntityDescription, name: String, naturalKey: NaturalKey?) {
    self.entity = entity
    self.name = name
    self.naturalKey = naturalKey
    words = PropertyWords(entity)
    recordTransformer = SeedAnnotations.recordTransformer(of: entity)
    entityMapper = SeedAnnotations.entityMapper(of: entity)
    createOnly = Set(entity.properties.filter(SeedAnnotations.isCreateOnly).map(\.name))
    let attributes = entity.attributesByName
    transformers = attributes.compactMapValues(SeedAnnotations.transformer)
    dateStrategies = attributes.compactMapValues { SeedAnnotations.dates(of: $0).flatMap(DateStrategy.init) }
  }

  /// The keys that a record may have, sorted.
  var keys: [String] {
    let attributes = entity.attributesByName.values.filter { Self.canBeGiven($0) }
    return (attributes.map(\.name) + entity.relationshipsByName.keys).sorted()
  }

  /// The property that a name in a header refers to.
  func property(named word: String, at position: SeedPosition) throws -> NSPropertyDescription {
    if let property = words.property(named: word) { return property }
    throw SeedError(
      code: .unknownKey,
      at: position,
      problem: "\(name) has no property \"\(word.abbreviated)\"",
      remedy: Suggestion.remedy("name", word: word, among: keys, of: "the properties of \(name) are")
    )
  }

  /// Returns true when a relationship is a part of the natural key.
  func isKey(_ relationship: NSRelationshipDescription) -> Bool {
    naturalKey?.parts.contains { $0.property === relationship } ?? false
  }

  /// The name of the value transformer of an attribute.
  func transformer(of attribute: NSAttributeDescription) -> String? {
    transformers.isEmpty ? nil : transformers[attribute.name]
  }

  /// The strategy by which the dates of an attribute are written, where its user info says it.
  func dates(of attribute: NSAttributeDescription) -> DateStrategy? {
    dateStrategies.isEmpty ? nil : dateStrategies[attribute.name]
  }

  static func canBeGiven(_ attribute: NSAttributeDescription) -> Bool {
    !(attribute is NSDerivedAttributeDescription)
      && attribute.attributeType != .objectIDAttributeType
      && attribute.attributeType != .undefinedAttributeType
  }
}
