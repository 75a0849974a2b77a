import Foundation
import Predicates

extension NSManagedObjectContext: FetchingContext {
  /// Carries out the fetch of an ``NSFetchRequestExpression``.
  ///
  /// - Throws: `PredicateEvaluationError` when the value is no fetch request, and the errors of
  ///   ``fetch(_:)`` and ``count(for:)``.
  package final func result(ofFetch request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest else {
      throw PredicateEvaluationError(
        "The first part of FETCH should be a fetch request, and is \(request ?? "null")"
      )
    }
    return countOnly
      ? try count(for: request.copy(of: (any NSFetchRequestResult).self)) : try request.results(in: self)
  }
}
