import CoreData
import Foundation

/// A request for dictionaries of notes, built by one expression.
struct AggregateRequest {
  var properties: [Any] = []
  var groupBy: [Any]?
  var having: String?
  var predicate: String?
  var sort: [NSSortDescriptor] = []
  var limit = 0
  var offset = 0
  var isDistinct = false
  var includesPendingChanges = true

  /// A computed column.
  static func column(
    _ name: String,
    _ format: String,
    _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(format: format)
    column.expressionResultType = type
    return column
  }

  func request(_ entity: String = "Note") -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.propertiesToGroupBy = groupBy
    request.havingPredicate = having.map { NSPredicate(format: $0) }
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.sortDescriptors = sort
    (request.fetchLimit, request.fetchOffset) = (limit, offset)
    request.returnsDistinctResults = isDistinct
    request.includesPendingChanges = includesPendingChanges
    return request
  }
}
