import Foundation
import Predicates

/// One property of the dictionaries of a fetch.
struct DictionaryColumn {
  let name: String
  /// True when it has one value for many objects.
  let isAggregate: Bool
  /// True when the request names a property or a key path, and gives no expression.
  let isProperty: Bool
  /// The expression that computes the column: the key path of a property.
  let expression: NSExpression
  /// The type that values are converted to; undefined for none.
  let type: NSAttributeType
  private let ofGroup: GroupExpression

  /// - Parameters:
  ///   - property: a name, a key path, or the description of a property or of an expression.
  ///   - nulls: the rule for nulls of the stores that have the objects.
  /// - Throws: an error that names what the entity does not have.
  init(_ property: Any, entity: NSEntityDescription, nulls: NullRule) throws {
    if let description = property as? NSExpressionDescription {
      guard let expression = description.expression else {
        throw StoreFailure.operation(
          "a fetch request computes \(description.name), which has no expression; give its description one."
        )
      }
      name = description.name
      isProperty = false
      type = description.expressionResultType
      self.expression = expression
    } else {
      name = (property as? NSPropertyDescription)?.name ?? property as? String ?? "\(property)"
      try Self.check(name, entity: entity)
      isProperty = true
      type = .undefinedAttributeType
      expression = NSExpression(forKeyPath: name)
    }
    ofGroup = try GroupExpression(expression, entity: entity, nulls: nulls)
    isAggregate = ofGroup.isAggregate
  }

  /// The value of a group of objects. A managed object is represented by its ID.
  func value(of group: [NSManagedObject]) throws -> Any? {
    let value = try ofGroup.value(of: group)
    if let object = value as? NSManagedObject { return object.objectID }
    return converted(value)
  }

  /// A value as one of the column's type, where it can be one.
  func converted(_ value: Any?) -> Any? {
    guard type != .undefinedAttributeType, type != .objectIDAttributeType,
      let stored = AttributeValue.stored(value, as: type)
    else { return value is NSNull ? nil : value }
    return AttributeValue.value(stored, as: type)
  }

  /// True when values of a kind already have the column's type, so that they sort in the order of the converted values.
  func hasPlainValues(of kind: RowExpression.Kind) -> Bool {
    switch type {
    case .undefinedAttributeType, .objectIDAttributeType: return true
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return kind.isAlwaysWhole
    case .booleanAttributeType:
      if case .attribute(let attribute) = kind { return attribute.attributeType == .booleanAttributeType }
      return false
    default: return kind.type == type
    }
  }

  /// A key path may lead across to-one relationships.
  private static func check(_ keyPath: String, entity: NSEntityDescription) throws {
    var current: NSEntityDescription? = entity
    for key in keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      switch current?.allPropertiesByName[key] {
      case let relationship as NSRelationshipDescription where !relationship.isToMany:
        current = relationship.frozenDestination
      case is NSAttributeDescription: current = nil
      default:
        if key == "objectID" || key == "self" { continue }
        throw failure("\(keyPath), and entity \(entity.name ?? "") has no such attribute or to-one relationship")
      }
    }
  }

  private static func failure(_ what: String) -> NSError {
    StoreFailure.operation("propertiesToFetch or propertiesToGroupBy names \(what).")
  }
}
