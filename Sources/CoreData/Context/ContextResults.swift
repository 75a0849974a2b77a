/// Results that change as the objects of a context change: fetched results, and observed fetches.
///
/// The context calls them; it does not know how they are kept.
protocol ContextResults: AnyObject {
  /// Called when new objects of the context have got permanent IDs.
  func idsWereAssigned()

  /// Called when the store has changed, and it is not known which objects: the results are to be fetched again.
  func fallBehind()

  /// Returns true when a change of an object of the entity may change the results.
  func follows(_ entity: NSEntityDescription) -> Bool
}

/// Results of a context, which does not keep them alive.
struct WeakContextResults {
  weak var results: (any ContextResults)?
}

extension NSManagedObjectContext {
  /// Has fetched results count when it is decided which changes of others matter here.
  final func addFollower(_ results: any ContextResults) {
    resultsFollowing.removeAll { $0.results == nil }
    resultsFollowing.append(WeakContextResults(results: results))
  }

  /// Returns true when fetched results follow the objects of an entity, so that also those matter to the context that
  /// it does not have yet, or has not used: a change may bring them into the results, or to another place in them.
  final func isFollowed(_ layout: EntityLayout) -> Bool {
    resultsFollowing.contains { $0.results?.follows(layout.entity) == true }
  }
}
