import CoreData
import Seeding

/// A column of grouped objects: a key path by which the objects are grouped, or a function over the objects
/// of each group.
struct GroupColumn {
  /// The column that counts objects, unless the entity has a property named `count`.
  static let count = "count"

  /// The text as the user wrote it.
  let name: String
  /// The expression that computes the column. It has a generated name, because sort descriptors interpret
  /// dots in names as key paths.
  let property: NSExpressionDescription
  /// The attribute that the values belong to; `nil` for computed values and for objects.
  private let attribute: NSAttributeDescription?
  /// True when the values can be sorted, which objects cannot.
  let isSortable: Bool

  /// - Parameter number: the number of the column, from 1.
  init(_ text: String, number: Int, of entity: NSEntityDescription, groupBy: [String]) throws {
    let expression: NSExpression
    var end: NSPropertyDescription?
    if groupBy.contains(text) {
      end = try PropertyPath(text, of: entity, operators: []).end
      expression = NSExpression(forKeyPath: text)
    } else {
      let isCount = text == Self.count && entity.propertiesByName[text] == nil
      expression = try ExpressionArgument.read(isCount ? "count:(SELF)" : text, option: "--columns")
      let function = try GroupFunction(expression, of: entity)
      guard function.isAggregate else {
        throw CommandFailure(
          """
          --columns: a group has many values of "\(text)"; name it in --group-by too, or ask for a function of it, such as \
          max:(\(text))
          """
        )
      }
      end = function.picked
    }
    name = text
    attribute = end as? NSAttributeDescription
    isSortable = !(end is NSRelationshipDescription)
    property = NSExpressionDescription()
    property.name = "column \(number)"
    property.expression = expression
  }

  /// The object of a group in this column; `nil` where the value is not an object.
  func objectID(in row: NSDictionary) -> NSManagedObjectID? { row[property.name] as? NSManagedObjectID }

  /// The value to print, from a dictionary that the fetch returned.
  func value(in row: NSDictionary, context: NSManagedObjectContext, reader: inout ResultReader) -> ResultValue {
    if let objectID = objectID(in: row) { return reader.value(at: "", of: context.object(with: objectID)) }
    let value = row[property.name]
    if let attribute { return ResultValue(value, of: attribute) }
    return ResultValue(computed: value)
  }
}

/// The properties of an expression over groups.
private struct GroupFunction {
  /// True when every key path of the expression is inside a function over the objects.
  let isAggregate: Bool
  /// The property of which the expression selects one value, as `max:(price)` does.
  let picked: NSPropertyDescription?

  private static let aggregates: Set = [
    "count:", "sum:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
  ]

  /// - Throws: a `CommandFailure` for a wrong key path in the expression.
  init(_ expression: NSExpression, of entity: NSEntityDescription) throws {
    isAggregate = try Self.isOverGroup(expression, entity: entity)
    guard expression.expressionType == .function, ["min:", "max:"].contains(expression.function),
      let argument = expression.arguments?.first, argument.expressionType == .keyPath
    else {
      picked = nil
      return
    }
    picked = try PropertyPath(argument.keyPath, of: entity, operators: ["@count"]).end
  }

  private static func isOverGroup(_ expression: NSExpression, entity: NSEntityDescription) throws -> Bool {
    switch expression.expressionType {
    case .keyPath:
      _ = try PropertyPath(expression.keyPath, of: entity, operators: ["@count"])
      return false
    case .function:
      let parts = try (expression.arguments ?? []).map { try isOverGroup($0, entity: entity) }
      return aggregates.contains(expression.function) || !parts.isEmpty && parts.allSatisfy { $0 }
    case .constantValue: return true
    default: return false
    }
  }
}
