import Foundation
import Predicates

/// A fetch of values as the channel carries it: of each object, of each different set of values, or
/// of groups of objects.
// A value type that threads may share: the entity is in use, and so immutable, and no caller
// changes the expressions after the query is made.
package struct AggregateQuery: @unchecked Sendable {
  /// The objects whose values are asked for. Their order, limit and offset count where each object
  /// has values of its own.
  package var objects: FetchQuery
  package let values: [AggregateValue]
  package let grouping: Grouping
  /// The condition that groups have to fulfil.
  var condition: AggregateCondition?
  /// The order of groups.
  var order: [Order] = []
  /// The largest number of groups; 0 for no limit.
  var limit = 0
  /// The number of groups that are left out at the beginning.
  var offset = 0

  package enum Grouping {
    /// Each object has values of its own.
    case eachObject
    /// All objects are one group, also where there is none.
    case all
    /// The objects with the same values of these expressions are a group.
    case by([RowExpression])

    /// The expressions by whose values objects are grouped.
    var keys: [RowExpression] { if case .by(let keys) = self { keys } else { [] } }
  }

  struct Order {
    let value: AggregateValue
    /// The place among the values that are asked for; `nil` where the value is not.
    let index: Int?
    let comparison: SortComparison
    let isAscending: Bool
  }

  /// The entities whose objects' values are part of the results, the fetched one excepted.
  var entities: [NSEntityDescription] {
    var entities = values.flatMap(\.entities) + order.flatMap(\.value.entities)
    entities += condition?.entities ?? []
    return entities + grouping.keys.flatMap(\.entities)
  }
}

/// A value that a group of objects has.
package indirect enum AggregateValue {
  /// The value that each object of the group has alike.
  case key(RowExpression)
  /// The number of objects.
  case count
  /// A function over the values that the objects have; nulls do not count.
  case function(Function, RowExpression)
  /// The call of a function. Values of the group replace the call's own arguments.
  case calculation(NSExpression, [AggregateValue], RowExpression.Kind)

  package enum Function: String {
    case count = "count:"
    case sum = "sum:"
    case average = "average:"
    case minimum = "min:"
    case maximum = "max:"
  }

  var kind: RowExpression.Kind {
    switch self {
    case .key(let expression), .function(.minimum, let expression), .function(.maximum, let expression): expression.kind
    case .function(.sum, let expression):
      // A sum of Booleans, or of small numbers, is a number of any size.
      if case .attribute = expression.kind, expression.kind.type == .integer64AttributeType {
        .wholeNumber
      } else {
        expression.kind
      }
    case .count, .function(.count, _): .wholeNumber
    case .function(.average, let expression): isExact ? expression.kind : .number(fromDates: false)
    case .calculation(_, _, let kind): kind
    }
  }

  /// True for sums and means of decimal numbers, which are decimal numbers too.
  var isExact: Bool {
    switch self {
    case .function(.sum, let expression), .function(.average, let expression):
      expression.kind.type == .decimalAttributeType
    case .key, .count, .function, .calculation: false
    }
  }

  var entities: [NSEntityDescription] {
    switch self {
    case .key(let expression), .function(_, let expression): expression.entities
    case .count: []
    case .calculation(_, let parts, _): parts.flatMap(\.entities)
    }
  }
}

/// A condition on the values of a group.
indirect enum AggregateCondition {
  case constant(Bool)
  case compound(NSCompoundPredicate.LogicalType, [AggregateCondition])
  /// The operands replace the comparison's own expressions.
  case comparison(NSComparisonPredicate, Operand, Operand)

  enum Operand {
    case constant(NSExpression)
    case value(AggregateValue)

    var entities: [NSEntityDescription] { if case .value(let value) = self { value.entities } else { [] } }
  }

  var entities: [NSEntityDescription] {
    switch self {
    case .constant: []
    case .compound(_, let parts): parts.flatMap(\.entities)
    case .comparison(_, let left, let right): left.entities + right.entities
    }
  }
}

/// The answer to a query of values, one row after the other.
package struct AggregateRows {
  /// The number of values in a row, at least 1.
  let columnCount: Int
  /// The values of all rows.
  package var values: [StoredValue] = []

  package init(columnCount: Int, values: [StoredValue] = []) {
    self.columnCount = columnCount
    self.values = values
  }

  var count: Int { values.count / columnCount }
}

/// Answers queries of values, where its words have the results that the evaluation in memory has.
package protocol AggregateReader: AnyObject {
  /// The values that a query asks for. The result is `nil` when the reader cannot express the
  /// query, or when it has read a value that it represents differently from memory. The caller then
  /// fetches the objects and computes their values in memory.
  func aggregate(_ query: AggregateQuery) throws -> AggregateRows?
}

extension AggregateReader {
  package func aggregate(_ query: AggregateQuery) throws -> AggregateRows? { nil }
}
