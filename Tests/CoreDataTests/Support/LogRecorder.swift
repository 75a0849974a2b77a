import Logging
import Synchronization

/// Records what the whole test program logs through swift-log, which can be set up only once.
enum LogRecorder {
  struct Entry: Sendable {
    let label: String
    let level: Logger.Level
    let message: String
    let metadata: [String: String]
  }

  private static let all = Mutex<[Entry]>([])

  /// True from the first access on, which starts the recording.
  static let isRecording: Bool = {
    LoggingSystem.bootstrap { Handler(label: $0) }
    return true
  }()

  static var entries: [Entry] { all.withLock { $0 } }

  private struct Handler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let entry = Entry(
        label: label,
        level: event.level,
        message: "\(event.message)",
        metadata: (event.metadata ?? [:]).mapValues { "\($0)" }
      )
      LogRecorder.all.withLock { $0.append(entry) }
    }
  }
}
