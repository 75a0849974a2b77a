import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import Seeding
import Synchronization

/// Writes one answer into a file while it comes, and gives it up as soon as it is none to be taken.
///
/// The client hands over the next part when the one before is written, so that no more than a few parts are in memory.
final class SeedDownload: HTTPClientResponseDelegate {
  typealias Response = SeedAnswer

  private struct State {
    let file: FileHandle
    var head: HTTPResponseHead?
    var hash = SHA256()
    var size = 0
    /// A redirect led where anybody could change what comes.
    var isUnprotected = false
  }

  private let request: SeedRequest
  private let state: Mutex<State>

  init(_ request: SeedRequest, into url: URL) throws {
    self.request = request
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 0)
    state = Mutex(State(file: file))
  }

  func didVisitURL(task: HTTPClient.Task<SeedAnswer>, _ visited: HTTPClient.Request, _ head: HTTPResponseHead)
  {
    guard !request.isVerified, !RemotePlace(visited.url).isProtected else { return }
    state.withLock { $0.isUnprotected = true }
  }

  func didReceiveHead(task: HTTPClient.Task<SeedAnswer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let failure = state.withLock { state in
      state.head = head
      return self.failure(head, state)
    }
    if let failure { return task.eventLoop.makeFailedFuture(failure) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  private func failure(_ head: HTTPResponseHead, _ state: State) -> FetchFailure? {
    if state.isUnprotected {
      let error = RemotePlace.unprotected(at: request.place.position)
      return FetchFailure(
        code: error.code,
        problem: "a redirect leads to http, and " + error.problem,
        remedy: error.remedy
      )
    }
    if head.status == .notModified, request.known != nil { return nil }
    guard head.status == .ok else {
      return FetchFailure(status: head.status, retryAfter: head.headers.first(name: "Retry-After"))
    }
    if let type = head.contentType, let types = request.contentTypes, !types.contains(type) {
      return FetchFailure(contentType: type)
    }
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    return length > request.largestSize ? .tooLarge(request.largestSize) : nil
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
        entityTag: head.headers.first(name: "ETag"),
        lastModified: head.headers.first(name: "Last-Modified")
      )
      return .content(content)
    }
  }
}

extension HTTPResponseHead {
  fileprivate var contentType: String? {
    headers.first(name: "Content-Type").map(SeedContentType.bare)
  }
}
