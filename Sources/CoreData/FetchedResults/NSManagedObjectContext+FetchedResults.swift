/// Fetched results that follow a context.
struct WeakFetchedResults {
  weak var results: FetchedResults?
}

extension NSManagedObjectContext {
  /// Has fetched results count when it is decided which changes of others matter here.
  final func addFollower(_ results: FetchedResults) {
    resultsFollowing.removeAll { $0.results == nil }
    resultsFollowing.append(WeakFetchedResults(results: results))
  }

  /// Returns true when fetched results follow the objects of an entity, so that also those matter
  /// to the context that it does not have yet, or has not used: a change may bring them into the
  /// results, or to another place in them.
  final func isFollowed(_ layout: EntityLayout) -> Bool {
    resultsFollowing.contains { $0.results?.follows(layout.entity) == true }
  }

  /// Has the values of faults fetched together that are all about to be read.
  final func awaitTogether(_ objects: [NSManagedObject], of entity: NSEntityDescription) {
    let faults = objects.filter(\.canWaitForBatch)
    guard faults.count > 1 else { return }
    assignBatches(faults, of: entity, size: Self.faultsAwaitedTogether, keyPaths: [])
  }

  private static let faultsAwaitedTogether = 500
}
