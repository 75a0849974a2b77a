extension NSPersistentStoreRequest {
  /// The request as one whose results are of another class, for a cast of the request that follows.
  ///
  /// The cast `request as! NSFetchRequest<NSFetchRequestResult>` succeeds for every fetch request where Objective-C
  /// erases generic classes. Here it succeeds for the result of `request.castingResults(to:
  /// NSFetchRequestResult.self)`. The result is another object with the settings of the request: a setting that changes
  /// in one of the two changes in both. `perennial port` writes such calls.
  ///
  /// - Returns: the request itself when it has results of that class already, or is not a fetch request.
  public final func castingResults<Result>(to resultClass: Result.Type) -> NSPersistentStoreRequest {
    if self is NSFetchRequest<Result> { return self }
    guard let request = self as? any AnyFetchRequest else { return self }
    let original = request.castOriginal
    return original is NSFetchRequest<Result> ? original : CastFetchRequest<Result>(original)
  }
}

/// A fetch request as one whose results are of another class: each of its settings is that of the original.
///
/// Where Objective-C erases generic classes, a cast gives the same request under another class. Settings that change
/// after the cast are therefore visible through the reference from before the cast, too.
final class CastFetchRequest<ResultType>: NSFetchRequest<ResultType> {
  let original: any AnyFetchRequest

  init(_ original: any AnyFetchRequest) {
    self.original = original
    super.init()
    givenName = original.entityName
  }

  override var castOriginal: any AnyFetchRequest { original }

  override var affectedStores: [NSPersistentStore]? {
    get { original.affectedStores }
    set { original.affectedStores = newValue }
  }

  override var entity: NSEntityDescription? {
    get { original.entity }
    set { original.entity = newValue }
  }

  override var predicate: NSPredicate? {
    get { original.predicate }
    set { original.predicate = newValue }
  }

  override var sortDescriptors: [NSSortDescriptor]? {
    get { original.sortDescriptors }
    set { original.sortDescriptors = newValue }
  }

  override var fetchLimit: Int {
    get { original.fetchLimit }
    set { original.fetchLimit = newValue }
  }

  override var fetchOffset: Int {
    get { original.fetchOffset }
    set { original.fetchOffset = newValue }
  }

  override var resultType: NSFetchRequestResultType {
    get { original.resultType }
    set { original.resultType = newValue }
  }

  override var includesSubentities: Bool {
    get { original.includesSubentities }
    set { original.includesSubentities = newValue }
  }

  override var includesPropertyValues: Bool {
    get { original.includesPropertyValues }
    set { original.includesPropertyValues = newValue }
  }

  override var returnsObjectsAsFaults: Bool {
    get { original.returnsObjectsAsFaults }
    set { original.returnsObjectsAsFaults = newValue }
  }

  override var includesPendingChanges: Bool {
    get { original.includesPendingChanges }
    set { original.includesPendingChanges = newValue }
  }

  override var shouldRefreshRefetchedObjects: Bool {
    get { original.shouldRefreshRefetchedObjects }
    set { original.shouldRefreshRefetchedObjects = newValue }
  }

  override var fetchBatchSize: Int {
    get { original.fetchBatchSize }
    set { original.fetchBatchSize = newValue }
  }

  override var relationshipKeyPathsForPrefetching: [String]? {
    get { original.relationshipKeyPathsForPrefetching }
    set { original.relationshipKeyPathsForPrefetching = newValue }
  }

  override var propertiesToFetch: [Any]? {
    get { original.propertiesToFetch }
    set { original.propertiesToFetch = newValue }
  }

  override var propertiesToGroupBy: [Any]? {
    get { original.propertiesToGroupBy }
    set { original.propertiesToGroupBy = newValue }
  }

  override var havingPredicate: NSPredicate? {
    get { original.havingPredicate }
    set { original.havingPredicate = newValue }
  }

  override var returnsDistinctResults: Bool {
    get { original.returnsDistinctResults }
    set { original.returnsDistinctResults = newValue }
  }
}
