import Digests
import Foundation
import Seeding

/// Writes one answer into a file while it arrives, and stops as soon as the answer turns out to be unacceptable.
final class SeedDownload: TransferReceiver {
  private let request: SeedRequest
  private let file: FileHandle
  private var head: ResponseHead?
  private var decoding: ContentDecoding?
  private var hash = SHA256()
  /// The numbers of bytes that were received, and of bytes after decompression.
  private var (received, size) = (0, 0)

  init(_ request: SeedRequest, into url: URL) throws {
    self.request = request
    file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 0)
  }

  func receive(_ head: ResponseHead) throws {
    self.head = head
    if let url = redirect(head) { throw Redirection(url: url) }
    if isNotModified(head) { return }
    guard head.status == 200 else { throw FetchFailure(head) }
    if let type = head.contentType, let types = request.contentTypes, !types.contains(type) {
      throw FetchFailure(contentType: type)
    }
    if let length = head["content-length"] { try check(length) }
    decoding = try ContentDecoding(head["content-encoding"])
  }

  /// Returns true if the answer says that the known version is current.
  private func isNotModified(_ head: ResponseHead) -> Bool { head.status == 304 && request.known != nil }

  private func redirect(_ head: ResponseHead) -> URL? {
    let statuses: Set = [301, 302, 303, 307, 308]
    guard statuses.contains(head.status), let location = head["location"] else { return nil }
    return URL(string: location, relativeTo: request.place.url)?.absoluteURL
  }

  /// Checks the length that the server announces, in decimal digits. One of more than 19 digits has no number here.
  private func check(_ length: String) throws(FetchFailure) {
    guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    try check(Int(length) ?? .max)
  }

  private func check(_ size: Int) throws(FetchFailure) {
    guard size <= request.largestSize else { throw .tooLarge(request.largestSize) }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    received += bytes.count
    try check(received)
    guard let decoding else { return try write(bytes) }
    try decoding.expand(bytes) { try write($0) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    size += bytes.count
    try check(size)
    hash.update(bytes)
    try file.write(contentsOf: Data(bytes))
  }

  /// Called when the whole answer has arrived.
  func finish() throws -> SeedAnswer {
    try decoding?.finish()
    try file.close()
    guard let head, !isNotModified(head) else { return .notModified }
    let content = SeedContent(
      hash: HexadecimalText.of(hash.finalize()),
      type: head.contentType,
      entityTag: head.validator("etag"),
      lastModified: head.validator("last-modified")
    )
    return .content(content)
  }
}

extension ResponseHead {
  /// The value of a field that identifies a version. It is saved into the store's metadata, and sent back to the
  /// server. Values with more than 1,024 bytes, and values that a request's field cannot have, are `nil`.
  fileprivate func validator(_ name: String) -> String? {
    self[name].flatMap { $0.utf8.count <= 1024 && !$0.isEmpty && HeaderFields.isValue($0) ? $0 : nil }
  }

  fileprivate var contentType: String? { self["content-type"].map(SeedContentType.bare) }
}
