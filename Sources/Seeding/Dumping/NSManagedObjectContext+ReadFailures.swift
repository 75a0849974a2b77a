#if canImport(Darwin)
  package import CoreData

  extension NSManagedObjectContext {
    /// Runs work that reads objects. Apple's framework raises an exception when a read fails, so no error is left to
    /// throw at the end of the work.
    package final func throwingReadFailures<Result>(_ work: () throws -> Result) rethrows -> Result { try work() }
  }
#endif
