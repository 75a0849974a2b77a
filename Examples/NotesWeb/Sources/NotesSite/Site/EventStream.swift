import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Sends changes to a page with server-sent events.
struct EventStream: Sendable {
  let subscribers: FeedSubscribers
  let seeding: FirstSeeding

  /// Answers with a stream that lasts until the page is closed or the server ends.
  func response(_ request: Request) throws -> Response {
    guard let events = subscribers.subscribe() else {
      throw HTTPError(.serviceUnavailable, message: "Too many pages are open.")
    }
    // The state is read after the subscription, so that the stream has every later event.
    let start = "retry: 1000\n\n" + Self.text("ready", subscribers.version) + Self.text(seeding.state)
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: start))
      do {
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          for await event in events.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: Self.text(event)))
          }
        }
      } catch is CancellationError {
        // The page was closed.
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body
    )
  }

  private static func text(_ event: FeedEvent) throws -> String {
    switch event {
    case .changes(let changes):
      text("changes", String(decoding: try JSONEncoder().encode(changes), as: UTF8.self))
    case .seeding(let state): text(state)
    }
  }

  private static func text(_ state: SeedingStage) -> String {
    switch state {
    case .waiting: text("seeding", #"{"state":"waiting"}"#)
    case .running(let part, let phase):
      // The phase is a constant of the library, which needs no escaping.
      text("seeding", #"{"state":"running","part":\#(part),"phase":"\#(phase)"}"#)
    case .finished(let created): text("seeding", #"{"state":"finished","created":\#(created)}"#)
    case .failed: text("seeding", #"{"state":"failed"}"#)
    }
  }

  private static func text(_ name: String, _ data: String) -> String { "event: \(name)\ndata: \(data)\n\n" }
}
