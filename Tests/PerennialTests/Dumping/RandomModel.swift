import CoreData
import Foundation
import TestModels
import TestSupport

/// A random model of some entities, with attributes of all types, relationships of all kinds and many natural keys. Equal
/// numbers give equal models.
struct RandomModel {
  let model = NSManagedObjectModel()
  private(set) var random: RandomSource
  private var entities: [NSEntityDescription] = []

  static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
    .floatAttributeType, .decimalAttributeType, .stringAttributeType, .stringAttributeType,
    .booleanAttributeType,
    .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType,
    .transformableAttributeType, .compositeAttributeType,
  ]

  private static let keyTypes: [NSAttributeType] = [
    .stringAttributeType, .integer32AttributeType, .dateAttributeType, .UUIDAttributeType,
    .decimalAttributeType,
  ]

  init(_ number: UInt64) {
    random = RandomSource(number)
    let count = random.number(in: 1...4)
    for index in 0..<count { entities.append(entity("Thing\(index)")) }
    for _ in 0..<random.number(in: 0...count + 1) { relate() }
    for entity in entities where random.chance(0.5) { constrain(entity) }
    if count > 1, random.chance(0.4) { inherit() }
    if random.chance(0.1) { annotate() }
    model.entities = entities
  }

  private mutating func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = "NSManagedObject"
    if random.chance(0.6) {
      let key = attribute(random.element(["name", "title", "id"]), random.element(Self.keyTypes))
      key.isOptional = random.chance(0.3)
      key.defaultValue = nil
      entity.properties.append(key)
    }
    for index in 0..<random.number(in: 0...6) {
      entity.properties.append(attribute("value\(index)", random.element(Self.types)))
    }
    return entity
  }

  private mutating func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = type == .compositeAttributeType ? composite() : NSAttributeDescription()
    attribute.name = name
    if type != .compositeAttributeType { attribute.attributeType = type }
    attribute.isOptional = type == .compositeAttributeType || random.chance(0.8)
    if type == .transformableAttributeType { attribute.isOptional = true }
    guard random.chance(0.25) else { return attribute }
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: attribute.defaultValue = 7
    case .doubleAttributeType, .floatAttributeType: attribute.defaultValue = 1.5
    case .stringAttributeType: attribute.defaultValue = "usual"
    case .booleanAttributeType: attribute.defaultValue = true
    default: break
    }
    return attribute
  }

  private mutating func composite() -> NSAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.elements = (0..<random.number(in: 1...3)).map { index in
      let element = attribute("part\(index)", random.element(Array(Self.types.prefix(10))))
      element.isOptional = true
      element.defaultValue = nil
      return element
    }
    return composite
  }

  private mutating func relate() {
    let number = model.entities.count + entities.reduce(0) { $0 + $1.relationshipsByName.count }
    let one = relationship("one\(number)", to: random.element(entities))
    let other = relationship("other\(number)", to: random.element(entities))
    (one.inverseRelationship, other.inverseRelationship) = (other, one)
    other.destinationEntity?.properties.append(one)
    one.destinationEntity?.properties.append(other)
  }

  private mutating func relationship(_ name: String, to entity: NSEntityDescription)
    -> NSRelationshipDescription
  {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entity
    relationship.isOptional = true
    relationship.deleteRule = random.element([.nullifyDeleteRule, .cascadeDeleteRule])
    relationship.maxCount = random.chance(0.5) ? 1 : 0
    relationship.isOrdered = relationship.maxCount == 0 && random.chance(0.4)
    return relationship
  }

  /// Adds a uniqueness constraint or a list of key names, of one or two properties.
  private mutating func constrain(_ entity: NSEntityDescription) {
    let attributes = entity.attributesByName.values.filter { Self.keyTypes.contains($0.attributeType) }.map(
      \.name
    )
    let relationships = entity.relationshipsByName.values.filter { !$0.isToMany }.map(\.name)
    var names: [String] = []
    if !attributes.isEmpty { names.append(random.element(attributes.sorted())) }
    if !relationships.isEmpty, random.chance(0.7) { names.append(random.element(relationships.sorted())) }
    guard !names.isEmpty else { return }
    if random.chance(0.5) {
      entity.uniquenessConstraints = [names]
    } else {
      entity.userInfo = ["identityAttributes": names.reversed().joined(separator: ", ")]
    }
  }

  private mutating func inherit() {
    let sub = NSEntityDescription()
    sub.name = "Special"
    sub.managedObjectClassName = "NSManagedObject"
    sub.properties = [attribute("special", random.element(Self.types))]
    let parent = random.element(entities)
    parent.isAbstract = random.chance(0.3)
    parent.subentities = [sub]
    entities.append(sub)
  }

  private mutating func annotate() {
    guard let property = random.element(entities).properties.first else { return }
    property.userInfo = ["JSONKeyPath": "annotated"]
  }

  /// The names of the entities that are not abstract.
  var concrete: [String] { entities.filter { !$0.isAbstract }.compactMap(\.name).sorted() }
}

/// Pseudorandom numbers that are equal for equal seeds (SplitMix64).
struct RandomSource: RandomNumberGenerator {
  private var numbers: SplitMix

  init(_ seed: UInt64) { numbers = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

  mutating func element<Element>(_ list: [Element]) -> Element { list[number(in: 0...list.count - 1)] }
}
