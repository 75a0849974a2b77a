/// The present work of an open store.
///
/// ```swift
/// let store = coordinator.persistentStores[0]
/// let activity = try coordinator.activity(of: store)
/// print(activity.waitingWriterCount, activity.logByteCount)
/// ```
public struct StoreActivity: Sendable {
  /// The number of threads and tasks of this process that wait for the write lock.
  public internal(set) var waitingWriterCount = 0

  /// The number of connections that are reading at this moment.
  public internal(set) var busyReaderCount = 0

  /// The number of query generations that this process holds.
  public internal(set) var heldGenerationCount = 0

  /// The time since the oldest query generation was pinned that this process holds; `nil` where it
  /// holds none.
  public internal(set) var oldestGenerationAge: Duration?

  /// The size of the write-ahead log in bytes.
  public internal(set) var logByteCount = 0
}
