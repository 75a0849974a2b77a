/// The present work of an open store.
///
/// ```swift
/// let store = coordinator.persistentStores[0]
/// let activity = try coordinator.activity(of: store)
/// print(activity.waitingWriterCount, activity.logByteCount)
/// ```
public struct StoreActivity: Sendable {
  /// The number of threads and tasks of this process that wait for the write lock.
  public package(set) var waitingWriterCount = 0

  /// The number of connections that are reading at this moment.
  public package(set) var busyReaderCount = 0

  /// The number of query generations that this process holds.
  public package(set) var heldGenerationCount = 0

  /// The time since the oldest query generation was pinned that this process holds; `nil` where it holds none.
  public package(set) var oldestGenerationAge: Duration?

  /// The size of the write-ahead log in bytes.
  public package(set) var logByteCount = 0

  package init(
    waitingWriterCount: Int = 0,
    busyReaderCount: Int = 0,
    heldGenerationCount: Int = 0,
    oldestGenerationAge: Duration? = nil,
    logByteCount: Int = 0
  ) {
    self.waitingWriterCount = waitingWriterCount
    self.busyReaderCount = busyReaderCount
    self.heldGenerationCount = heldGenerationCount
    self.oldestGenerationAge = oldestGenerationAge
    self.logByteCount = logByteCount
  }
}
