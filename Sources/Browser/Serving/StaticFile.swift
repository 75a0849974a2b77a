import Deflate
import Digests
import Foundation
import HTTPTypes
import Hummingbird
import Texts

/// A file of the pages that is the same for all stores, such as their style sheet.
///
/// A browser may keep it, and asks whether it is still the same. It is sent compressed to who takes that.
struct StaticFile: Sendable {
  private let bytes: [UInt8]
  private let type: String
  /// Changes with the bytes.
  private let tag: String
  /// `nil` where compression saves nothing.
  private let compressed: [UInt8]?

  /// - Parameter type: the type of its contents, as HTTP names it.
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
    // Only the person's own browser keeps it: the file is behind the token as all pages are.
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  private func hasTag(_ field: String) -> Bool {
    field.split(separator: ",").contains { part in
      let text = part.trimmingCharacters(in: .whitespaces)
      // The compressed file and the other are the same to a reader.
      return text == tag || "W/" + text == tag
    }
  }

  /// True when a request says that it takes gzip; one that gives it the weight 0 does not.
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
