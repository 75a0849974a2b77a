extension NSPersistentStoreRequest {
  /// The request as one whose results are of another class, for a cast of the request that follows.
  ///
  /// The cast `request as! NSFetchRequest<NSFetchRequestResult>` succeeds for every fetch request
  /// where Objective-C erases generic classes. Here it succeeds behind
  /// `request.castingResults(to: NSFetchRequestResult.self)`. The result is another object with the
  /// settings of the request: what is set in one of the two is set in both. `perennial port` writes
  /// such calls.
  ///
  /// - Returns: the request itself when it has results of that class already, or is no fetch
  ///   request.
  public final func castingResults<Result>(to resultClass: Result.Type) -> NSPersistentStoreRequest {
    if self is NSFetchRequest<Result> { return self }
    guard let request = self as? any AnyFetchRequest else { return self }
    let original = request.castOriginal
    return original is NSFetchRequest<Result> ? original : CastFetchRequest<Result>(original)
  }
}
