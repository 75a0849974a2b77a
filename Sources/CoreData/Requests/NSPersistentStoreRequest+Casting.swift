extension NSPersistentStoreRequest {
  /// The request as one whose results are of another class, for a cast of the request that follows.
  ///
  /// Where Objective-C erases generic classes, `request as! NSFetchRequest<NSFetchRequestResult>` succeeds for every fetch
  /// request. Here the cast succeeds behind `request.castingResults(to: NSFetchRequestResult.self)`. A request with
  /// results of another class is copied: what is changed afterwards is changed in one of the two. `perennial port` writes
  /// such calls.
  ///
  /// - Returns: the request itself when it has results of that class already, or is no fetch request.
  public final func castingResults<Result>(to resultClass: Result.Type) -> NSPersistentStoreRequest {
    if self is NSFetchRequest<Result> { return self }
    guard let request = self as? any AnyFetchRequest else { return self }
    return request.copy(of: resultClass)
  }
}
