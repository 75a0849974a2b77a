import CoreData
import Seeding

/// A column of grouped objects: a key path that makes the groups, or a function over the objects of
/// each group.
struct GroupColumn {
  /// The column that counts objects, unless the entity has a property of the name.
  static let count = "count"

  /// The text that the user wrote.
  let name: String
  /// The expression that computes the column, under a name of its own: sort descriptors take dots
  /// in names for key paths.
  let property: NSExpressionDescription
  /// The attribute that the values are of; `nil` for what is computed, and for objects.
  private let attribute: NSAttributeDescription?
  /// True when an order is defined on the values: there is none on objects.
  let isSortable: Bool

  /// - Parameter number: the column's place, from 1.
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

  /// The object that a group has in the column; `nil` where its value is not an object.
  func objectID(in row: NSDictionary) -> NSManagedObjectID? { row[property.name] as? NSManagedObjectID }

  /// The value to print, from a dictionary that the fetch made.
  func value(
    in row: NSDictionary,
    context: NSManagedObjectContext,
    reader: inout ResultReader
  ) -> ResultValue {
    if let objectID = objectID(in: row) {
      return reader.value(at: "", of: context.object(with: objectID))
    }
    let value = row[property.name]
    if let attribute { return ResultValue(value, of: attribute) }
    return ResultValue(computed: value)
  }
}

/// The properties of an expression over groups.
private struct GroupFunction {
  /// True when every key path of the expression is inside of a function over the objects.
  let isAggregate: Bool
  /// The property whose values the expression picks one of, as `max:(price)` does.
  let picked: NSPropertyDescription?

  private static let aggregates: Set = [
    "count:", "sum:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
  ]

  /// - Throws: a `CommandFailure` for a key path in the expression that is wrong.
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
