import Foundation
import ModelFormats
import Predicates

/// An expression that has one value for each object, in words that mean the same in memory and in
/// every database: attributes, also of the destinations of to-one relationships, these
/// destinations themselves, and calculations with numbers, dates and texts.
///
/// Decimal numbers are calculated with in memory alone, where they lose no digit.
package struct RowExpression {
  /// The kind of the expression's values.
  package enum Kind {
    case attribute(NSAttributeDescription)
    /// Objects of an entity that no other one inherits from, so that a key is enough to name one.
    case object(NSEntityDescription)
    case wholeNumber
    /// Whole numbers that are calculated: a result that does not fit is a floating-point number.
    case calculated
    /// Floating-point numbers; `fromDates` where they are calculated from dates, which a database
    /// may keep as whole numbers.
    case number(fromDates: Bool)
    case text
  }

  let expression: NSExpression
  let kind: Kind
  /// The entities that key paths lead to from the fetched one.
  private(set) var entities: [NSEntityDescription] = []

  /// - Parameter entity: the entity at which key paths begin.
  /// - Returns: `nil` for an expression in other words.
  init?(_ expression: NSExpression, entity: NSEntityDescription) {
    self.expression = expression
    switch expression.node {
    case .evaluatedObject:
      guard let kind = Kind(objectOf: entity) else { return nil }
      self.kind = kind
    case .keyPath(let path):
      guard let (kind, entities) = Self.end(of: path, from: entity) else { return nil }
      (self.kind, self.entities) = (kind, entities)
    case .constant(let value):
      guard let kind = Kind(constant: EvaluatedValue(value)) else { return nil }
      self.kind = kind
    case .function(let name, nil, let arguments):
      let parts = arguments.compactMap { RowExpression($0, entity: entity) }
      guard parts.count == arguments.count, let kind = Kind(resultOf: name, arguments: parts.map(\.kind))
      else { return nil }
      self.kind = kind
      entities = parts.flatMap(\.entities)
    default: return nil
    }
  }

  /// True when the expression names a property, and calculates nothing.
  var isKeyPath: Bool { if case .keyPath = expression.node { true } else { false } }

  /// The kind of what a key path across to-one relationships ends at, and the entities on its way.
  private static func end(of keyPath: String, from entity: NSEntityDescription) -> (Kind, [NSEntityDescription])? {
    var current = entity
    var entities: [NSEntityDescription] = []
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (index, key) in keys.enumerated() where !["self", "SELF", "objectID"].contains(key) {
      switch current.allPropertiesByName[key] {
      case let attribute as NSAttributeDescription:
        let isPlain = attribute.attributeType.storage.isPlain
        guard isPlain, !attribute.isTransient, index == keys.count - 1 else { return nil }
        return (.attribute(attribute), entities)
      case let relationship as NSRelationshipDescription where !relationship.isToMany:
        guard !relationship.isTransient, let destination = relationship.frozenDestination else { return nil }
        entities.append(destination)
        current = destination
      default: return nil
      }
    }
    return Kind(objectOf: current).map { ($0, entities) }
  }
}

extension RowExpression.Kind {
  fileprivate init?(objectOf entity: NSEntityDescription) {
    if entity.isAbstract || !entity.subentities.isEmpty { return nil }
    self = .object(entity)
  }

  fileprivate init?(constant: EvaluatedValue) {
    switch constant {
    case .number(.integer): self = .wholeNumber
    case .number(.double(let number)) where number.isFinite: self = .number(fromDates: false)
    case .text: self = .text
    default: return nil
    }
  }

  /// The kind of a function's results; `nil` if a database has other results than memory, or no such function.
  init?(resultOf function: String, arguments: [RowExpression.Kind]) {
    switch (function, arguments.count) {
    case ("add:to:", 2), ("from:subtract:", 2), ("multiply:by:", 2), ("divide:by:", 2):
      guard let numbers = Self.numbers(arguments) else { return nil }
      self = numbers
    case ("modulus:by:", 2):
      // A database takes a floating-point number for a whole one here.
      guard arguments.allSatisfy({ $0.isAlwaysWhole }) else { return nil }
      self = .wholeNumber
    case ("abs:", 1), ("floor:", 1), ("ceiling:", 1), ("trunc:", 1):
      guard let number = Self.numbers(arguments) else { return nil }
      self = number
    case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
      guard arguments[0].type == .stringAttributeType else { return nil }
      self = .text
    case ("length:", 1):
      guard arguments[0].type == .stringAttributeType else { return nil }
      self = .wholeNumber
    default: return nil
    }
  }

  /// The kind of a calculation's result; `nil` unless all operands are numbers or dates.
  private static func numbers(_ parts: [RowExpression.Kind]) -> RowExpression.Kind? {
    var (isWhole, fromDates) = (true, false)
    for part in parts {
      switch part.type {
      case .integer64AttributeType: continue
      case .doubleAttributeType:
        if case .number(fromDates: true) = part { fromDates = true }
      case .dateAttributeType: fromDates = true
      default: return nil
      }
      isWhole = false
    }
    return isWhole ? .calculated : .number(fromDates: fromDates)
  }

  /// True when there is no floating-point number among the values.
  var isAlwaysWhole: Bool {
    if case .calculated = self { false } else { type == .integer64AttributeType }
  }

  /// The type of an attribute that has such values. Functions and groups take truth values for the
  /// numbers 1 and 0, and know one type of whole and one of floating-point numbers.
  var type: NSAttributeType {
    switch self {
    case .attribute(let attribute):
      switch attribute.attributeType {
      case .integer16AttributeType, .integer32AttributeType, .booleanAttributeType: .integer64AttributeType
      case .floatAttributeType: .doubleAttributeType
      case let type: type
      }
    case .object: .objectIDAttributeType
    case .wholeNumber, .calculated: .integer64AttributeType
    case .number: .doubleAttributeType
    case .text: .stringAttributeType
    }
  }
}
