import Foundation
import Predicates

/// Turns sort descriptors into terms of `ORDER BY`. Null comes first, as it does in memory.
struct SQLSortTranslator {
  let scope: SQLScope
  let dialect: any SQLDialect

  /// - Throws: an error that names the key, when it cannot be sorted by in SQL.
  func term(_ descriptor: NSSortDescriptor) throws -> SQLWrite {
    if case .custom = descriptor.comparison {
      throw SQLTranslationFailure.error(
        "A sort descriptor with a closure",
        "sort the result in memory, or name one of the selectors"
      )
    }
    guard let key = descriptor.key else {
      throw SQLTranslationFailure.error("A sort descriptor without a key", "managed objects have no order")
    }
    var resolver = SQLKeyPathResolver(key)
    guard case .scalar(let scalar) = try resolver.operand(from: .object(SQLPosition(root: scope))) else {
      throw SQLTranslationFailure.error(
        key,
        "a to-many relationship has no order; sort by @count, @min or @max"
      )
    }
    guard scalar.kind.isOrdered else {
      throw SQLTranslationFailure.error(key, "\(scalar.kind.name) has no order to sort by")
    }
    let order = scalar.kind == .text ? descriptor.comparison.textOrder : nil
    let isAscending = descriptor.ascending
    return { try dialect.writeSortTerm(scalar.write, by: order, isAscending: isAscending, to: &$0) }
  }
}
