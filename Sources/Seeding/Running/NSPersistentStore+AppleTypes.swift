#if canImport(Darwin)
  import CoreData

  /// Apple's framework does not say what its stores can do.
  extension NSPersistentStore {
    /// True when several processes can have the store open at once.
    var isShared: Bool { type == NSSQLiteStoreType }

    /// True when a decimal number that was saved may be read with fewer digits.
    var roundsDecimals: Bool { type == NSSQLiteStoreType }
  }
#endif
