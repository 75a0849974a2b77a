import CoreData
import DataGeneration
import Foundation
import ModelFormats
import Seeding

/// The schema of the values that a seed may give an attribute.
///
/// Every value that the loader accepts is valid. Bounds come from the type and from the model's validation
/// rules. Regular expressions are left out, because the dialect of JSON Schema differs from Foundation's.
struct AttributeSchema {
  private let attribute: NSAttributeDescription
  private let rules: AttributeRules?
  /// True when the model's annotations for seeds apply.
  private let isAnnotated: Bool

  init(_ attribute: NSAttributeDescription, isAnnotated: Bool) {
    self.attribute = attribute
    self.isAnnotated = isAnnotated
    rules = try? AttributeRules(attribute, at: attribute.name)
  }

  /// The schema with its description.
  var node: SchemaNode {
    // The values that a program's transformer accepts are unknown here.
    if isAnnotated, SeedAnnotations.transformer(of: attribute) != nil { return described([:]) }
    let node = value.with("default", value: defaultValue)
    return described(orComputed(attribute.isOptional ? Self.orNull(node) : node))
  }

  /// Allows the value, or an object that computes it. A transformable attribute takes such an object as the value itself.
  private func orComputed(_ node: SchemaNode) -> SchemaNode {
    guard attribute.attributeType != .transformableAttributeType else { return node }
    var keys = ["$expression"]
    switch attribute.attributeType {
    case .dateAttributeType: keys.append("$now")
    case .binaryDataAttributeType, .stringAttributeType: keys.append("$file")
    default: break
    }
    let isComputed = keys.map { SchemaNode.object(["required": [.string($0)]]) }
    return .branch(
      if: ["type": "object", "anyOf": .list(isComputed)],
      then: .definition(SeedSchema.computed),
      else: node
    )
  }

  private func described(_ node: SchemaNode) -> SchemaNode {
    node.with("description", value: .string(SchemaWords.description(of: attribute)))
  }

  private static func orNull(_ node: SchemaNode) -> SchemaNode {
    guard case .object(let fields) = node else { return node }
    if case .list(let values)? = fields["enum"] { return node.with("enum", value: .list(values + [.null])) }
    switch fields["type"] {
    case .string(let name)?: return node.with("type", value: .types([name, "null"]))
    case .list(let names)?: return node.with("type", value: .list(names + ["null"]))
    default: break
    }
    if case .list(let choices)? = fields["anyOf"] {
      return node.with("anyOf", value: .list(choices + [["type": "null"]]))
    }
    return node
  }

  private var value: SchemaNode {
    let kind = AttributeKind(attribute.attributeType)
    return switch kind.storage {
    case .integer: integer(kind.range ?? .min ... .max)
    case .real, .decimal: bounded(matching(kind, node: ["type": ["number", "string"]]))
    case .boolean: ["enum": [true, false, 0, 1]]
    case .text: suggested(string)
    case .date: date
    case .data: matching(kind, node: ["type": "string", "contentEncoding": "base64"])
    case .uuid: matching(kind, node: ["type": "string"])
    case .uri: ["type": "string", "minLength": 1]
    case .transformable: transformable
    case .composite: composite
    case .none: [:]
    }
  }

  private func matching(_ kind: AttributeKind, node: SchemaNode) -> SchemaNode {
    node.with("pattern", value: kind.pattern.map(SchemaNode.string))
  }

  // MARK: - Numbers and texts

  private func integer(_ range: ClosedRange<Int64>) -> SchemaNode {
    var (low, high) = (range.lowerBound, range.upperBound)
    if let minimum = rules?.minimum, let bound = Int64(exactly: minimum.rounded(.up)) { low = max(low, bound) }
    if let maximum = rules?.maximum, let bound = Int64(exactly: maximum.rounded(.down)) { high = min(high, bound) }
    return suggested(["type": "integer", "minimum": .integer(low), "maximum": .integer(high)])
  }

  private func bounded(_ node: SchemaNode) -> SchemaNode {
    func bound(_ number: Double?) -> SchemaNode? { number.flatMap { $0.isFinite ? .number($0) : nil } }
    return node.with("minimum", value: bound(rules?.minimum)).with("maximum", value: bound(rules?.maximum))
  }

  /// The schema of a text. The model counts lengths in UTF-16 code units, one or two for each character; JSON
  /// Schema counts characters.
  private var string: SchemaNode {
    let node: SchemaNode = ["type": "string"]
    return node.with(
      "minLength",
      value: rules?.leastLength.flatMap { $0 > 0 ? .integer(Int64(($0 + 1) / 2)) : nil }
    )
    .with("maxLength", value: rules?.greatestLength.map { .integer(Int64($0)) })
  }

  /// Adds the values of `generate.values`, which editors then offer. Other values stay valid, because the store
  /// accepts them too.
  private func suggested(_ node: SchemaNode) -> SchemaNode {
    guard let choices = rules?.choices, !choices.isEmpty else { return node }
    let values: [SchemaNode] = choices.compactMap { text in
      attribute.attributeType == .stringAttributeType ? .string(text) : Int64(text).map(SchemaNode.integer)
    }
    return ["anyOf": [["enum": .list(values)], node]]
  }

  // MARK: - Dates

  /// The schema of a date. A file's header may declare another date format, unless the attribute has its own.
  private var date: SchemaNode {
    switch isAnnotated ? SeedAnnotations.dates(of: attribute) : nil {
    case "secondsSince1970", "millisecondsSince1970", "secondsSince2001": ["type": "number"]
    case "iso8601": ["type": "string", "pattern": "^[0-9]"]
    case let format? where format != "byLook": ["type": "string", "pattern": "[0-9]"]
    default:
      [
        "type": ["string", "number"], "pattern": "[0-9]", "examples": ["2024-03-17", "2024-03-17T13:45:39Z"],
      ]
    }
  }

  // MARK: - Objects

  private static let data: SchemaNode = [
    "type": "object", "properties": ["$data": ["type": "string"]], "required": ["$data"],
    "additionalProperties": false,
  ]

  private var transformable: SchemaNode {
    switch TransformableClass(named: attribute.attributeValueClassName) {
    case .any?: return [:]
    case .dictionary?: return ["type": "object"]
    case let kind?: return ["anyOf": [Self.node(of: kind), Self.data]]
    case nil: return ["anyOf": [Self.data]]
    }
  }

  private static func node(of kind: TransformableClass) -> SchemaNode {
    switch kind {
    case .any: [:]
    case .string: ["type": "string"]
    case .number: ["type": ["number", "boolean"]]
    case .date: ["type": "object", "properties": ["$date": ["type": "string"]], "required": ["$date"]]
    case .data: data
    case .url, .uuid: ["type": ["string", "object"]]
    case .set: ["type": ["array", "object"]]
    case .list(of: .any): ["type": "array"]
    case .list(let element): ["type": "array", "items": node(of: element)]
    case .dictionary: ["type": "object"]
    }
  }

  private var composite: SchemaNode {
    let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    let pairs = elements.map { element in
      // An element may always be set to null, even if the model says that it is required.
      (element.name, Self.orNull(AttributeSchema(element, isAnnotated: isAnnotated).value))
    }
    return [
      "type": "object", "properties": .object(Dictionary(pairs) { $1 }), "additionalProperties": false,
    ]
  }

  private var defaultValue: SchemaNode? {
    switch (AttributeKind(attribute.attributeType).storage, attribute.defaultValue) {
    case (.text, let text as String): .string(text)
    case (.boolean, let number as NSNumber): .bool(number.boolValue)
    case (.integer, let number as NSNumber): .integer(number.int64Value)
    case (.real, let number as NSNumber): number.doubleValue.isFinite ? .number(number.doubleValue) : nil
    default: nil
    }
  }
}
