import Deflate
import Digests
import Foundation
import HTTPTypes
import Hummingbird
import Texts

/// A file of the pages that is the same for all stores, such as the style sheet.
///
/// A browser may cache it, and asks on each use whether it has changed. A client that accepts gzip receives it
/// compressed.
struct StaticFile: Sendable {
  private let bytes: [UInt8]
  private let type: String
  /// The entity tag, which changes with the bytes.
  private let tag: String
  /// `nil` where compression saves nothing.
  private let compressed: [UInt8]?

  /// Makes a file from its bytes.
  ///
  /// - Parameter type: the MIME type of the file.
  init(_ bytes: [UInt8], type: String) {
    self.bytes = bytes
    self.type = type
    tag = "W/\"\(HexadecimalDigits.of(SHA256.hash(data: Data(bytes)).prefix(16)))\""
    let smaller = (try? Deflate.compressed(Data(bytes), wrapping: .gzip)).map { Array($0) }
    compressed = smaller.flatMap { $0.count < bytes.count ? $0 : nil }
  }

  func response(to request: Request) -> Response {
    var response: Response
    if request.headers[values: .ifNoneMatch].contains(where: hasTag) {
      response = Response(status: .notModified)
    } else if let compressed, Self.takesCompression(request) {
      response = .bytes(compressed, type: type)
      response.headers[.contentEncoding] = "gzip"
    } else {
      response = .bytes(bytes, type: type)
    }
    response.headers[.eTag] = tag
    response.headers[.vary] = "Accept-Encoding"
    // The response is `private` because the file, like all pages, requires the token.
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  private func hasTag(_ field: String) -> Bool {
    field.split(separator: ",").contains { part in
      let text = part.trimmingCharacters(in: .whitespaces)
      // The compressed and the uncompressed file have the same content, so their weak tags are equal.
      return text == tag || "W/" + text == tag
    }
  }

  /// Returns true when a request accepts gzip. The weight 0 rejects it.
  private static func takesCompression(_ request: Request) -> Bool {
    request.headers[values: .acceptEncoding].contains { field in
      field.split(separator: ",").contains { part in
        let words = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard words.first == "gzip" else { return false }
        return !words.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
      }
    }
  }
}
