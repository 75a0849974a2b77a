import CoreData
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreExploration

extension BrowserPages {
  /// Returns a stream of events, one for each save of another process or of another context of this process.
  ///
  /// If the connection is watched, the stream ends when the client closes it. Otherwise it ends when a write fails.
  func changes(_ request: Request) -> Response {
    let coordinator = explored.coordinator
    let client = ReadClient.current ?? ReadClient()
    let body = ResponseBody { writer in
      let events = ChangeEvents(of: coordinator)
      // The first bytes show the browser that the stream is open.
      try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
      nonisolated(unsafe) var output = writer
      try await client.whileWaiting {
        for await event in events.stream.cancelOnGracefulShutdown() {
          try await output.write(ByteBuffer(string: event))
        }
      }
      try await output.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }
}

/// The saves of a coordinator's stores as events of a stream.
///
/// If more than 16 events arrive before the client reads them, the excess events are dropped.
final class ChangeEvents: Sendable {
  let stream: AsyncStream<String>
  private let observer: UncheckedObserver

  /// An observer of notifications. It is sendable because it is only removed.
  private struct UncheckedObserver: @unchecked Sendable {
    let observer: any NSObjectProtocol
  }

  /// The interval of a stream's keep-alive messages, which show the server that a client has left.
  private static let pulse = Duration.seconds(20)

  init(of coordinator: NSPersistentStoreCoordinator) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(16))
    self.stream = stream
    observer = UncheckedObserver(
      observer: NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange,
        object: coordinator,
        queue: nil
      ) { _ in continuation.yield("event: change\ndata:\n\n") }
    )
    let pulse = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.pulse)
        continuation.yield(": still here\n\n")
      }
    }
    continuation.onTermination = { _ in pulse.cancel() }
  }

  deinit { NotificationCenter.default.removeObserver(observer.observer) }
}
