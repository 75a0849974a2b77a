import CoreData
import Foundation

/// The queries of a facet. Used on the queue of its context.
struct FacetQuery {
  let context: NSManagedObjectContext
  let subject: FacetSubject
  /// The predicate that all counted objects fulfill.
  let given: NSPredicate?

  /// The number of objects that fulfill the given predicate and this condition.
  func count(_ condition: NSPredicate? = nil) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: subject.entity.name ?? "")
    request.predicate = predicate(with: condition)
    request.includesPendingChanges = false
    return try context.count(for: request)
  }

  /// The least and the greatest value.
  func extremes(_ condition: NSPredicate? = nil) throws -> (Any, Any)? {
    let request = dictionaries(condition)
    let key = NSExpression(forKeyPath: subject.keyPath)
    request.propertiesToFetch = [
      Self.column("least", expression: NSExpression(forFunction: "min:", arguments: [key])),
      Self.column("greatest", expression: NSExpression(forFunction: "max:", arguments: [key])),
    ]
    guard let row = try context.fetch(request).first, let least = row["least"], let greatest = row["greatest"]
    else { return nil }
    return (least, greatest)
  }

  /// The groups by an expression, with the number of objects in each group.
  ///
  /// - Parameters:
  ///   - isByCount: true to sort the largest group first, false to sort by value.
  ///   - limit: the largest number of groups.
  func groups(
    by expression: CoreData.NSExpression,
    condition: NSPredicate?,
    isByCount: Bool,
    limit: Int
  ) throws -> [(value: Any, count: Int)] {
    let request = dictionaries(condition)
    let value = Self.column("value", expression: expression)
    let count = Self.column(
      "count",
      expression: NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
    )
    request.propertiesToFetch = [value, count]
    request.propertiesToGroupBy = [value]
    let byValue = subject.isOrdered ? [NSSortDescriptor(key: value.name, ascending: true)] : []
    request.sortDescriptors =
      isByCount ? [NSSortDescriptor(key: count.name, ascending: false)] + byValue : byValue
    request.fetchLimit = limit
    return try context.fetch(request).compactMap { row in
      guard let value = row["value"], let count = row["count"] as? NSNumber else { return nil }
      return (value, count.intValue)
    }
  }

  private func dictionaries(_ condition: NSPredicate?) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: subject.entity.name ?? "")
    request.resultType = .dictionaryResultType
    request.predicate = predicate(with: condition)
    request.includesPendingChanges = false
    return request
  }

  private func predicate(with condition: NSPredicate?) -> NSPredicate? {
    let parts = [given, condition].compactMap(\.self)
    return parts.count < 2 ? parts.first : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  private static func column(_ name: String, expression: CoreData.NSExpression) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = expression
    return column
  }
}
