import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import Seeding
import Synchronization

/// Writes one answer into a file while it comes, and gives it up as soon as it is none to be taken.
///
/// The client hands over the next part when the one before is written, so that no more than a few
/// parts are in memory.
final class SeedDownload: HTTPClientResponseDelegate {
  typealias Response = SeedAnswer

  private struct State {
    let file: FileHandle
    var head: HTTPResponseHead?
    var hash = SHA256()
    var size = 0
  }

  private let request: SeedRequest
  private let state: Mutex<State>

  init(_ request: SeedRequest, into url: URL) throws {
    self.request = request
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 0)
    state = Mutex(State(file: file))
  }

  func didReceiveHead(task: HTTPClient.Task<SeedAnswer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let failure = state.withLock { state in
      state.head = head
      return self.failure(head)
    }
    if let failure { return task.eventLoop.makeFailedFuture(failure) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  private func failure(_ head: HTTPResponseHead) -> (any Error)? {
    if let url = redirect(head) { return Redirection(url: url) }
    if head.status == .notModified, request.known != nil { return nil }
    guard head.status == .ok else {
      return FetchFailure(status: head.status, retryAfter: head.headers.first(name: "Retry-After"))
    }
    if let type = head.contentType, let types = request.contentTypes, !types.contains(type) {
      return FetchFailure(contentType: type)
    }
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    return length > request.largestSize ? FetchFailure.tooLarge(request.largestSize) : nil
  }

  private func redirect(_ head: HTTPResponseHead) -> URL? {
    let statuses: Set<UInt> = [301, 302, 303, 307, 308]
    guard statuses.contains(head.status.code), let location = head.headers.first(name: "Location") else {
      return nil
    }
    return URL(string: location, relativeTo: request.place.url)?.absoluteURL
  }

  func didReceiveBodyPart(task: HTTPClient.Task<SeedAnswer>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
    task.eventLoop.makeCompletedFuture {
      try state.withLock { state in
        state.size += part.readableBytes
        guard state.size <= request.largestSize else { throw FetchFailure.tooLarge(request.largestSize) }
        try part.withUnsafeReadableBytes { bytes in
          state.hash.update(bufferPointer: bytes)
          try state.file.write(contentsOf: Data(bytes))
        }
      }
    }
  }

  func didFinishRequest(task: HTTPClient.Task<SeedAnswer>) throws -> SeedAnswer {
    try state.withLock { state in
      try state.file.close()
      guard let head = state.head, head.status == .ok else { return .notModified }
      let content = SeedContent(
        hash: HexadecimalText.of(state.hash.finalize()),
        type: head.contentType,
        entityTag: head.validator("ETag"),
        lastModified: head.validator("Last-Modified")
      )
      return .content(content)
    }
  }
}

extension HTTPResponseHead {
  /// The value of a field that names a version. It goes into the store's metadata, and back to the
  /// server; one of more than 1,024 bytes does not, and is `nil`.
  fileprivate func validator(_ name: String) -> String? {
    headers.first(name: name).flatMap { $0.utf8.count <= 1024 ? $0 : nil }
  }

  fileprivate var contentType: String? {
    headers.first(name: "Content-Type").map(SeedContentType.bare)
  }
}
