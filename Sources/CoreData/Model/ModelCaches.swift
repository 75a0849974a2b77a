import Synchronization

/// A cache of values that another layer derives from a model in use.
protocol ModelCache: Sendable {
  init()
}

/// The caches of one model, one of each type. They live as long as the model.
///
/// A layer above the model declares its own ``ModelCache``, so the model does not know what is derived from it.
final class ModelCaches: Sendable {
  private let caches = Mutex<[ObjectIdentifier: any ModelCache]>([:])

  /// The cache of a type, which is made when it is first used.
  subscript<Cache: ModelCache>(_ type: Cache.Type) -> Cache {
    caches.withLock { caches in
      if let cache = caches[ObjectIdentifier(type)] as? Cache { return cache }
      let cache = Cache()
      caches[ObjectIdentifier(type)] = cache
      return cache
    }
  }
}
