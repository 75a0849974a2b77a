import Foundation
import Predicates

/// A query that its database cannot evaluate alone, split into a query for candidates and the part for memory.
///
/// Of an AND at the top, the parts that the dialect can say are the database's, and the rest is
/// evaluated for the rows that these leave, by the database's rule for nulls. An order that the dialect cannot say is memory's as
/// well. Limit and offset apply after both.
package struct SQLResidualFilter {
  /// The number of candidates that are decided together.
  static let rowsPerPart = 1_000

  /// The query for the candidates: in the order of the whole query if the database can sort so, and by key otherwise.
  package let candidates: FetchQuery
  /// The condition that memory evaluates; `nil` where the database has evaluated all of it.
  let condition: PredicateEvaluator?
  /// The order, if memory sorts; `nil` if the database sorts.
  let sorter: Sorter?
  /// 0 for no limit.
  let limit: Int
  let offset: Int
  /// The key paths that condition and order follow, as their keys.
  let keyPaths: [[String]]

  /// - Parameter decidesAll: true where memory evaluates the whole predicate.
  /// - Throws: an error that names the part of the predicate or of the sort descriptors that has no
  ///   SQL in any database.
  init(
    _ query: FetchQuery,
    schema: SQLSchema,
    store: Int32,
    dialect: any SQLDialect,
    decidesAll: Bool = false
  ) throws {
    func isAnswered(_ change: (inout FetchQuery) -> Void) throws -> Bool {
      var part = FetchQuery(entity: query.entity)
      part.includesSubentities = query.includesSubentities
      change(&part)
      return try SQLUntranslatable.asNil {
        try SQLFetch(part, schema: schema, store: store, dialect: dialect).rows([])
      } != nil
    }
    var (said, unsaid): ([NSPredicate], [NSPredicate]) = ([], [])
    for part in Self.parts(of: query.predicate) {
      if try !decidesAll && isAnswered({ $0.predicate = part }) {
        said.append(part)
      } else {
        unsaid.append(part)
      }
    }
    // Each of many may be said, and all together have more values than a statement takes.
    if said.count > 1,
      try !isAnswered({ $0.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: said) })
    {
      (said, unsaid) = ([], Self.parts(of: query.predicate))
    }
    let isOrdered = try query.after != nil || isAnswered { $0.sortDescriptors = query.sortDescriptors }
    var candidates = query
    candidates.predicate = said.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: said)
    candidates.includesRows = true
    (candidates.limit, candidates.offset) = (0, 0)
    var paths = KeyPathsOfPredicate()
    unsaid.forEach { paths.add($0) }
    if !isOrdered {
      query.sortDescriptors.compactMap(\.key).forEach { paths.add($0) }
      candidates.sortDescriptors = []
      // This ensures that pages neither overlap nor omit rows that compare as equal.
      if candidates.span == nil { candidates.after = .min }
    }
    self.candidates = candidates
    condition =
      unsaid.isEmpty
      ? nil
      : try PredicateEvaluator(NSCompoundPredicate(andPredicateWithSubpredicates: unsaid), nulls: .asInSQL)
    sorter = isOrdered ? nil : Sorter(query.sortDescriptors)
    (limit, offset) = (query.limit, query.offset)
    keyPaths = paths.keyPaths
  }

  /// The names of the properties that condition and order read of a candidate.
  var properties: Set<String> { Set(keyPaths.compactMap(\.first)) }

  /// The number of matches after which the query ends; `nil` if all are needed.
  var mostMatches: Int? {
    if limit == 0 { return nil }
    let (sum, overflow) = limit.addingReportingOverflow(offset)
    return overflow ? nil : sum
  }

  private static func parts(of predicate: NSPredicate?) -> [NSPredicate] {
    guard let predicate else { return [] }
    return PredicateNode.flattened(.and, parts: [predicate])
  }
}
