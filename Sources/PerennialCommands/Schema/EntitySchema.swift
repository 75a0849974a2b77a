import CoreData
import Foundation
import Seeding

/// The records of an entity and the references to its objects, as definitions of a schema.
///
/// A reference is a bare value, `{"$ref": …}`, a natural key of several properties, or a record. Keys and
/// records share a definition: both are objects with the same properties and values, and a seed's header may
/// declare which properties are the key.
struct EntitySchema {
  let entity: NSEntityDescription
  let isAnnotated: Bool
  /// The suffix of the definitions' names.
  let suffix: String

  private var name: String { entity.name ?? "" }

  /// The name of the definition for records in the entity's list.
  var listed: String { "\(name) in a list\(suffix)" }

  /// The name of the definition for values of relationships to the entity.
  private static func reference(to entity: NSEntityDescription, suffix: String) -> String {
    "reference to \(entity.name ?? "")\(suffix)"
  }

  private func fields(of entity: NSEntityDescription) -> String { "\(entity.name ?? "")\(suffix)" }

  func definitions(_ names: EntityNames) -> [String: SchemaNode] {
    [
      fields(of: entity): record(names),
      listed: choosing(names, needsName: entity.isAbstract),
      Self.reference(to: entity, suffix: suffix): .branch(
        if: ["type": "object"],
        then: .branch(
          if: ["required": ["$ref"]],
          then: .definition(SeedSchema.reference),
          else: .branch(
            if: ["required": ["$expression"]],
            then: .definition(SeedSchema.computed),
            else: choosing(names, needsName: false)
          )
        ),
        else: ["type": ["string", "number"]]
      ),
    ]
  }

  /// The schema of a record of the entity, or of the subentity that the record's `$entity` names.
  private func choosing(_ names: EntityNames, needsName: Bool) -> SchemaNode {
    // A program's transformer may choose the entity and change the record, so any object is valid.
    if isAnnotated, entity.family.contains(where: Self.isTransformed) { return ["type": "object"] }
    var node = SchemaNode.definition(fields(of: entity))
    if needsName {
      let concrete = entity.family.filter { !$0.isAbstract }.map { SchemaNode.string($0.name ?? "") }
      node = ["required": ["$entity"], "properties": ["$entity": ["enum": .list(concrete)]]]
    }
    for other in entity.family.dropFirst().reversed() where !other.isAbstract {
      node = .branch(
        if: ["required": ["$entity"], "properties": ["$entity": Self.word(for: other, names: names)]],
        then: .definition(fields(of: other)),
        else: node
      )
    }
    return node
  }

  private static func isTransformed(_ entity: NSEntityDescription) -> Bool {
    SeedAnnotations.recordTransformer(of: entity) != nil || SeedAnnotations.entityMapper(of: entity) != nil
  }

  /// The schema of the words that name the entity.
  private static func word(for entity: NSEntityDescription, names: EntityNames) -> SchemaNode {
    let name = entity.name ?? ""
    let forms = EntityForms(name: name, names: names).folded
    return forms.isEmpty
      ? ["enum": [.string(name)]]
      : ["anyOf": [["enum": [.string(name)]], ["pattern": .string(WordPattern.pattern(anyOf: forms))]]]
  }

  // MARK: - Properties

  private func record(_ names: EntityNames) -> SchemaNode {
    let words = PropertyWords(entity)
    var properties: [String: SchemaNode] = [
      "$id": .definition(SeedSchema.label),
      "$entity": Self.word(for: entity, names: names),
    ]
    var patterns: [String: SchemaNode] = [:]
    let exact = isAnnotated ? words.exact : entity.propertiesByName
    for (key, property) in exact { properties[key] = node(property) }
    if isAnnotated || suffix.isEmpty {
      let folded = Dictionary(grouping: exact.keys) { Self.folded($0) }
      for (word, property) in words.folded where folded[word]?.allSatisfy({ exact[$0] === property }) ?? true {
        patterns[WordPattern.pattern(word)] = node(property)
      }
    }
    if isAnnotated {
      for key in words.pathKeys where exact[key] == nil { properties[key] = ["type": ["object", "null"]] }
      for key in words.pathKeys where exact[key] != nil { properties[key] = [:] }
    }
    let node: SchemaNode = [
      "type": "object", "properties": .object(properties.filter { $0.value != false }),
      "additionalProperties": false, "description": .string(SchemaWords.description(of: entity)),
    ]
    return patterns.isEmpty
      ? node : node.with("patternProperties", value: .object(patterns.filter { $0.value != false }))
  }

  private static func folded(_ word: String) -> String {
    word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }

  /// The schema of a property; false for a property that a seed cannot set.
  private func node(_ property: NSPropertyDescription) -> SchemaNode {
    switch property {
    case is NSDerivedAttributeDescription: return false
    case let attribute as NSAttributeDescription:
      guard ![.undefinedAttributeType, .objectIDAttributeType].contains(attribute.attributeType) else {
        return false
      }
      return AttributeSchema(attribute, isAnnotated: isAnnotated).node
    case let relationship as NSRelationshipDescription: return node(relationship)
    default: return false
    }
  }

  private func node(_ relationship: NSRelationshipDescription) -> SchemaNode {
    guard let destination = relationship.destinationEntity else { return false }
    let one = SchemaNode.definition(Self.reference(to: destination, suffix: suffix))
    var node = SchemaNode.branch(if: ["type": "null"], then: true, else: one)
    if relationship.isToMany {
      let list: SchemaNode = ["type": "array", "items": one]
      let isChange: SchemaNode = [
        "type": "object",
        "anyOf": [["required": ["$add"]], ["required": ["$remove"]], ["required": ["$replace"]]],
      ]
      // `$add` and `$remove` take a list or a single object.
      let part = SchemaNode.branch(if: ["type": "array"], then: list, else: one)
      let isOfOne = relationship.inverseRelationship?.isToMany == false
      let change: SchemaNode = [
        "properties": ["$add": part, "$remove": part, "$replace": isOfOne ? part : false],
        "additionalProperties": false,
      ]
      node = .branch(if: ["type": "array"], then: list, else: .branch(if: isChange, then: change, else: node))
    }
    return node.with("description", value: .string(SchemaWords.description(of: relationship)))
  }
}
