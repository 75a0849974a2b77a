#if PostgreSQL
  import CoreData

  /// The class of the stores in PostgreSQL, which `StoreTypes` adds to its types. `CRuntime` has a weak declaration of this
  /// function: programs without this target do not have it.
  @_cdecl("perennialPostgreSQLStoreClass")
  package func postgreSQLStoreClass() -> UnsafeRawPointer? {
    unsafeBitCast(PostgreSQLStore.self as AnyClass, to: UnsafeRawPointer.self)
  }
#endif
