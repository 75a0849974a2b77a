/// A context that carries out the fetches of `FETCH` expressions.
package protocol FetchingContext: AnyObject {
  /// The result of a request: an array, or a number.
  ///
  /// - Parameter request: the value of the request's expression.
  /// - Throws: an error for a value that is not a request, or the error of the fetch.
  func result(ofFetch request: Any?, countOnly: Bool) throws -> Any?
}

/// Evaluates `FETCH` expressions.
enum FetchEvaluation {
  /// The greatest depth to which fetches nest whose predicates have fetches in turn: a request may
  /// have itself in its predicate.
  private static let deepest = 16
  @TaskLocal private static var depth = 0

  static func value(
    _ request: @escaping ValueClosure,
    context: @escaping ValueClosure,
    countOnly: Bool
  ) -> ValueClosure {
    { scope in
      guard depth < deepest else {
        throw PredicateEvaluationError(
          "Fetches in the predicates of fetches are nested more than \(deepest) deep: fetch one after the other"
        )
      }
      let value = try context(scope).any
      guard let context = value as? any FetchingContext else {
        throw PredicateEvaluationError(
          "The second part of FETCH should be a managed object context, and is \(value ?? "null")"
        )
      }
      let requested = try request(scope).any
      return try $depth.withValue(depth + 1) {
        EvaluatedValue(try context.result(ofFetch: requested, countOnly: countOnly))
      }
    }
  }
}
