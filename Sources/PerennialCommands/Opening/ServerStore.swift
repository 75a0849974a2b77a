import CoreData

#if canImport(Darwin)
  /// A type of stores on servers. Apple's framework has none.
  struct ServerStore {
    var name: String { "" }
    var trait: String { "" }
    var isLinked: Bool { false }

    init?(address: String) { return nil }
  }
#else
  /// A type of stores on servers.
  typealias ServerStore = ServerStoreType
#endif
