import Foundation
import Predicates
import Synchronization

/// The statements of a schema's fetches. Each shape is translated once, because a program repeats its fetches
/// with other values.
// A lock guards the texts that are created on demand. A text is immutable.
package final class SQLFetchTexts: Sendable {
  /// What all queries of a shape have in common.
  private struct Translation {
    let text: SQLText
    /// The kinds of the expressions that are compared with the constants, in their order.
    let kinds: [SQLKind]
    /// The cases of the values that were bound for the constants. The values themselves are not kept.
    let cases: [SQLValue.Case]
    /// The values that are bound after the constants: the limit.
    let rest: [SQLValue]
  }

  // The lock protects it. Its translations are immutable.
  private struct Cache: @unchecked Sendable {
    /// The inner value is `nil` for a shape whose bindings are not those of its comparisons.
    var translations: [SQLFetchShape: Translation?] = [:]
  }

  /// The number of cached texts. A program that composes predicates at run time may have any number of shapes.
  private static let limit = 500

  private let dialect: any SQLDialect
  private let cache = Mutex(Cache())

  package init(dialect: any SQLDialect) { self.dialect = dialect }

  /// The statement of a query.
  ///
  /// - Parameters:
  ///   - store: the index of the store. References in the predicate must have the same one.
  ///   - translated: translates the query, and gives the scope in which its key paths begin, with the statement.
  /// - Throws: what `translated` throws, or `SQLUntranslatable` for a value that the database does not know.
  func statement(
    of query: FetchQuery,
    answer: SQLFetchShape.Answer,
    store: Int32,
    translated: () throws -> (SQLScope, SQLStatement)
  ) throws -> SQLStatement {
    var constants: [EvaluatedValue] = []
    guard let shape = SQLFetchShape(query: query, answer: answer, constants: &constants) else {
      return try translated().1
    }
    guard let known = cache.withLock({ UncheckedSendable($0.translations[shape]) }).value else {
      let (scope, statement) = try translated()
      let translation = translation(
        as: statement,
        shape: shape,
        constants: constants,
        scope: scope,
        limit: query.limit
      )
      keep(UncheckedSendable(translation), of: shape)
      return statement
    }
    guard let statement = known.flatMap({ self.statement($0, constants: constants, store: store) }) else {
      return try translated().1
    }
    try dialect.check(statement.bindings)
    return statement
  }

  /// - Returns: `nil` where a constant is bound in another way than in the first such query.
  private func statement(_ translation: Translation, constants: [EvaluatedValue], store: Int32) -> SQLStatement? {
    var bindings: [SQLValue] = []
    bindings.reserveCapacity(constants.count + translation.rest.count)
    for (index, constant) in constants.enumerated() {
      let kind = translation.kinds[index]
      guard let value = SQLConstants.binding(constant, as: kind, store: store, dialect: dialect),
        value.case == translation.cases[index]
      else { return nil }
      bindings.append(value)
    }
    bindings += translation.rest
    return SQLStatement(translation.text, bindings: bindings)
  }

  /// The translation that queries of a shape share; `nil` if a query of the shape binds anything else than its
  /// constants in order, and the limit.
  private func translation(
    as statement: SQLStatement,
    shape: SQLFetchShape,
    constants: [EvaluatedValue],
    scope: SQLScope,
    limit: Int
  ) -> Translation? {
    var kinds: [SQLKind] = []
    var bindings: [SQLValue] = []
    for (comparison, constant) in zip(shape.comparisons, constants) {
      var resolver = SQLKeyPathResolver(comparison.keyPath)
      guard case .scalar(let scalar)? = try? resolver.operand(from: .object(SQLPosition(root: scope))),
        let value = SQLConstants.binding(constant, as: scalar.kind, store: scope.store, dialect: dialect)
      else { return nil }
      kinds.append(scalar.kind)
      bindings.append(value)
    }
    var end = SQLWriter(dialect: dialect)
    dialect.writeLimit(limit, offset: 0, to: &end)
    guard statement.bindings == bindings + end.bindings else { return nil }
    return Translation(
      text: SQLText(statement.sql),
      kinds: kinds,
      cases: bindings.map(\.case),
      rest: end.bindings
    )
  }

  private func keep(_ translation: UncheckedSendable<Translation?>, of shape: SQLFetchShape) {
    cache.withLock { cache in
      if cache.translations.count >= Self.limit { cache.translations.removeAll() }
      cache.translations[shape] = .some(translation.value)
    }
  }
}

extension SQLValue {
  fileprivate enum Case {
    case null, integer, real, text, blob
    /// A whole number that no floating-point one may be equal to: a database may compare it in other words.
    case wideInteger
  }

  fileprivate var `case`: Case {
    switch self {
    case .null: .null
    case .integer(let value): value.magnitude > 1 << SQLIntegerWidth.exactReal ? .wideInteger : .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
