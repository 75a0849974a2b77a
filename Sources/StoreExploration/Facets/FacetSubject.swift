import CoreData
import Foundation
import ModelFormats
import Seeding

/// The property whose values a facet counts.
struct FacetSubject {
  enum Values {
    /// Values that are counted separately.
    case plain
    case wholeNumbers
    case numbers
    /// Exact decimal numbers. Stores do not calculate with them.
    case decimals
    case dates
    case objects(NSEntityDescription)
  }

  let keyPath: String
  let entity: NSEntityDescription
  let values: Values

  /// - Throws: an `ExplorationFailure` if the entity does not have the key path, or its values cannot be counted.
  init(_ keyPath: String, of entity: NSEntityDescription) throws {
    self.keyPath = keyPath
    self.entity = entity
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = ModelKeyPath(keys, from: .object(entity))
    if let fault = path.fault {
      throw ExplorationFailure(code: .unknownName, problem: fault.problem, remedy: fault.remedy)
    }
    switch path.end {
    case .attribute(let attribute, isMany: false):
      guard !attribute.isTransient else {
        throw Self.unsuitable(
          keyPath,
          reason: "it is transient, and in no store",
          remedy: "choose a property that is saved"
        )
      }
      values = try Self.values(of: attribute, keyPath: keyPath)
    case .object(let destination): values = .objects(destination)
    case .objects(let destination):
      throw Self.unsuitable(
        keyPath,
        reason: "it leads to many objects",
        remedy: "count the objects of \(destination.name ?? "its destination") by the inverse relationship"
      )
    case .attribute:
      throw Self.unsuitable(keyPath, reason: "it leads through a relationship to many", remedy: "begin at that entity")
    case .composite(let composite, _):
      throw Self.unsuitable(
        keyPath,
        reason: "it is a composite attribute",
        remedy: "name one of its elements: \(composite.elements.map(\.name).sorted().joined(separator: ", "))"
      )
    case .number, .unknown:
      throw Self.unsuitable(
        keyPath,
        reason: "it is neither an attribute nor a relationship",
        remedy: "name one of those"
      )
    }
  }

  private static func values(of attribute: NSAttributeDescription, keyPath: String) throws -> Values {
    switch AttributeKind(attribute.attributeType).storage {
    case .integer: return .wholeNumbers
    case .real: return .numbers
    case .decimal: return .decimals
    case .date: return .dates
    case .text, .boolean, .uuid, .uri: return .plain
    case .data, .transformable, .composite, .none:
      throw unsuitable(
        keyPath,
        reason: "it is \(TypeWords.name(of: attribute)), whose values are not told apart",
        remedy: "choose an attribute of another type"
      )
    }
  }

  private static func unsuitable(_ keyPath: String, reason: String, remedy: String) -> ExplorationFailure {
    ExplorationFailure(
      code: .unsuitableProperty,
      problem: "there are no values of \(keyPath) to count: \(reason)",
      remedy: remedy
    )
  }

  /// The reason why a store cannot group by the property; `nil` if it can.
  var ungroupable: String? {
    if case .objects(let entity) = values, entity.isAbstract || !entity.subentities.isEmpty {
      return "it leads to an entity that others inherit from"
    }
    let keys = keyPath.split(separator: ".").map(String.init)
    let isElement = keys.indices.contains { index in
      if case .composite = ModelKeyPath(Array(keys[...index]), from: .object(entity)).end {
        true
      } else {
        false
      }
    }
    return isElement ? "it is an element of a composite attribute" : nil
  }

  /// True if the values are YES and NO.
  var isBoolean: Bool { attributeType == .booleanAttributeType }

  /// True if the values have an order. Objects and URLs do not have one.
  var isOrdered: Bool { attributeType.map { $0 != .URIAttributeType } ?? false }

  /// The type of the attribute; `nil` for a relationship.
  private var attributeType: NSAttributeType? {
    let keys = keyPath.split(separator: ".").map(String.init)
    guard case .attribute(let attribute, _) = ModelKeyPath(keys, from: .object(entity)).end else { return nil }
    return attribute.attributeType
  }

  // MARK: - Predicates

  /// The key path in the spelling of a predicate's text.
  var spelled: String { NSExpression(forKeyPath: keyPath).description }

  var isNull: NSPredicate { NSPredicate(format: "%K == NULL", keyPath) }
  var hasValue: NSPredicate { NSPredicate(format: "%K != NULL", keyPath) }

  /// Selects the objects with a value in a half-open interval.
  func isIn(_ lower: Any, upper: Any) -> NSPredicate {
    NSPredicate(format: "%K >= %@ AND %K < %@", keyPath, lower, keyPath, upper)
  }

  /// The text of the predicate that selects the objects with a date in a half-open interval.
  func text(from lower: Date, to upper: Date) -> String {
    "\(spelled) >= \(PredicateText.date(lower)) AND \(spelled) < \(PredicateText.date(upper))"
  }
}
