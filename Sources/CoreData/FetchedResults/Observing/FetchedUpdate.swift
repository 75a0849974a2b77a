/// The results of a request at one time, and what has changed since the update before.
///
/// ```swift
/// var rows: [NSManagedObjectID] = []
/// for try await update in context.updates(of: request, transform: \.objectID) {
///   if let difference = update.difference {
///     rows = rows.applying(difference) ?? update.results
///   } else {
///     rows = update.results
///   }
///   print(rows.count)
///   break
/// }
/// ```
public struct FetchedUpdate<Value> {
  /// The objects that the request finds, or the values that the transform returned for them, in the
  /// order of the request.
  public let results: [Value]

  /// The difference to the update before, by the IDs of the objects; `nil` for the first update.
  ///
  /// An object that has changed is removed and inserted, each associated with the other, as in
  /// ``NSFetchedResultsControllerDelegate/controller(_:didChangeContentWith:)``. Where the consumer
  /// was slow, the difference is that between the update that it got last and this one.
  public let difference: CollectionDifference<NSManagedObjectID>?
}

extension FetchedUpdate: Sendable where Value: Sendable {}

extension FetchedUpdate: Equatable where Value: Equatable {}
