import CoreData

extension StoreLocation {
  /// Does work that opens a store to read it and closes it, and removes what SQLite has left beside the file
  /// for that: the files of a write-ahead log, where there were none before.
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
