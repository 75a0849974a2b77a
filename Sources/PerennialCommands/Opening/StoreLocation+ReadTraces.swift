import CoreData

extension StoreLocation {
  /// Does work that opens a store for reading and closes it. Afterwards the files of a write-ahead log that
  /// SQLite left next to the store are removed, if there were none before.
  func withoutReadTraces<Value>(_ work: () throws -> Value) rethrows -> Value {
    #if canImport(Darwin)
      return try work()
    #else
      if isOnServer { return try work() }
      let traces = SQLiteReadTraces(of: url)
      defer { traces.remove() }
      return try work()
    #endif
  }
}
