#if !canImport(ObjectiveC)
  /// Runs a body, and comes back with its result.
  ///
  /// Without the Objective-C runtime objects are released as soon as nothing holds them; there is
  /// no pool to drain. The function lets sources of Apple's platforms compile.
  ///
  /// - Throws: the error of the body.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
#endif
