import CoreData
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreExploration

extension BrowserPages {
  /// A stream of events, one for each save of another process, or of another context of this one.
  ///
  /// It ends when the client closes a connection that is watched, and else when it cannot be written.
  func changes(_ request: Request) -> Response {
    let coordinator = explored.coordinator
    let client = ReadClient.current ?? ReadClient()
    let body = ResponseBody { writer in
      let events = ChangeEvents(of: coordinator)
      // The first bytes tell that the stream is open.
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
/// Of very many that come while nobody reads, some are left out.
final class ChangeEvents: Sendable {
  let stream: AsyncStream<String>
  private let observer: UncheckedObserver

  /// An observer of notifications, of which nothing but its removal is asked.
  private struct UncheckedObserver: @unchecked Sendable {
    let observer: any NSObjectProtocol
  }

  /// How often a stream without news says that it is there, so that a reader who is gone is noticed.
  private static let pulse = Duration.seconds(20)

  init(of coordinator: NSPersistentStoreCoordinator) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self,
      bufferingPolicy: .bufferingOldest(16)
    )
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
