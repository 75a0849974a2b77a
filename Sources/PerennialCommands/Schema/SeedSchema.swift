import CoreData
import Foundation
import Seeding

/// The JSON Schema for the seeds of a model, with which editors complete and check JSON and YAML.
///
/// The schema uses draft 07, which all editors support. Everything that the loader accepts is valid: words and
/// keys in any spelling, and natural keys that a header declares. No property of a record is required, because
/// a record of an existing object may leave properties out.
struct SeedSchema {
  static let reference = "reference by a label"
  static let label = "label"
  static let computed = "value from elsewhere"

  private let entities: [NSEntityDescription]
  private let names: EntityNames
  private let isAnnotated: Bool
  private let title: String

  /// - Parameter title: The name of the schema in editors.
  init(_ model: NSManagedObjectModel, title: String) {
    entities = model.entities.filter { $0.name != nil }.sorted { $0.name ?? "" < $1.name ?? "" }
    names = EntityNames(model.entitiesByName.keys)
    isAnnotated = SeedAnnotations.areIn(model)
    self.title = title
  }

  /// The schema as JSON text, which is equal for equal models.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return SeedJSON.escaped(String(decoding: try encoder.encode(node), as: UTF8.self)) + "\n"
  }

  private var node: SchemaNode {
    var definitions: [String: SchemaNode] = [
      Self.label: ["anyOf": [["type": "string", "minLength": 1], ["type": "integer"]]],
      Self.computed: [
        "type": "object",
        "properties": [
          "$file": [
            "type": "string", "description": "The path of a file, beginning at the folder of the seed.",
          ],
          "$sha256": ["type": "string", "pattern": "^[0-9A-Fa-f]{64}$"],
          "$now": ["type": "string", "description": "A time before or after the run, such as -3d."],
          "$expression": ["type": "string", "description": "An expression of the record's other keys."],
        ],
        "additionalProperties": false,
      ],
      Self.reference: [
        "type": "object", "properties": ["$ref": .definition(Self.label)], "required": ["$ref"],
        "additionalProperties": false,
      ],
    ]
    let usual = seed(isAnnotated: isAnnotated, suffix: "", definitions: &definitions)
    let base: SchemaNode = [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": .string(title), "type": "object",
    ]
    guard isAnnotated else { return merged(base, other: usual).with("definitions", value: .object(definitions)) }
    let plain = seed(isAnnotated: false, suffix: " (plain)", definitions: &definitions)
    let condition: SchemaNode = ["required": ["$plain"], "properties": ["$plain": ["enum": [true]]]]
    return merged(base, other: .branch(if: condition, then: plain, else: usual)).with(
      "definitions",
      value: .object(definitions)
    )
  }

  private func merged(_ one: SchemaNode, other: SchemaNode) -> SchemaNode {
    guard case .object(let fields) = other else { return one }
    return fields.reduce(one) { $0.with($1.key, value: $1.value) }
  }

  /// The schema of a seed's contents.
  private func seed(isAnnotated: Bool, suffix: String, definitions: inout [String: SchemaNode]) -> SchemaNode {
    var properties = header
    var patterns: [String: SchemaNode] = [:]
    for entity in entities {
      let schema = EntitySchema(entity: entity, isAnnotated: isAnnotated, suffix: suffix)
      definitions.merge(schema.definitions(names)) { $1 }
      let list: SchemaNode = [
        "type": "array", "items": .definition(schema.listed),
        "description": .string(SchemaWords.description(of: entity)),
      ]
      let forms = EntityForms(name: entity.name ?? "", names: names)
      properties[entity.name ?? ""] = list
      if let plural = forms.plural { properties[plural] = list }
      if !forms.folded.isEmpty { patterns[WordPattern.pattern(anyOf: forms.folded)] = list }
    }
    return [
      "properties": .object(properties), "patternProperties": .object(patterns),
      "additionalProperties": false,
    ]
  }

  private var header: [String: SchemaNode] {
    let names: SchemaNode = ["type": "string"]
    return [
      "$schema": ["type": "string", "description": "The JSON Schema of this file, for editors."],
      "$keys": [
        "type": "object", "additionalProperties": ["type": ["array", "string", "null"], "items": names],
        "description": "Natural keys: the names of properties for each entity, none for an empty list.",
      ],
      "$createOnly": [
        "type": "object", "additionalProperties": ["type": ["array", "string", "null"], "items": names],
        "description": "What only new objects are given: the names of properties for each entity.",
      ],
      "$dates": [
        "type": "string",
        "description": "How dates are written, by one of the names or by a format such as dd.MM.yyyy.",
        "anyOf": [
          [
            "enum": [
              "byLook", "iso8601", "secondsSince1970", "millisecondsSince1970", "secondsSince2001",
            ]
          ], ["pattern": "y"],
        ],
      ],
      "$plain": [
        "type": "boolean",
        "description": "Whether keys and values are the model's own, without regard to annotations.",
      ],
    ]
  }
}
