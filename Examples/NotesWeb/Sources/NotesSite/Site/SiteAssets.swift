import Foundation
import HTTPTypes
import Hummingbird

/// The style sheet, the script and the icon, which are read once. A request can only name one of them, and no
/// other path.
struct SiteAssets: Sendable {
  private struct Asset {
    let contents: ByteBuffer
    let type: String
    let tag: String
  }

  private let assets: [String: Asset]

  /// - Throws: `CocoaError`.
  init() throws {
    var assets: [String: Asset] = [:]
    for (name, type) in [
      ("site.css", "text/css; charset=utf-8"), ("site.js", "text/javascript; charset=utf-8"),
      ("icon.svg", "image/svg+xml"),
    ] {
      guard let folder = Bundle.module.url(forResource: "Assets", withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Assets"])
      }
      let contents = try Data(contentsOf: folder.appendingPathComponent(name))
      // A new tag for each launch suffices, because the contents are fixed when the program is built.
      let tag = "\"\(String(UInt64.random(in: 0...(.max)), radix: 36))\""
      assets[name] = Asset(contents: ByteBuffer(bytes: contents), type: type, tag: tag)
    }
    self.assets = assets
  }

  func response(_ name: String, _ request: Request, _ context: SiteContext) async throws -> Response {
    guard let asset = assets[name] else { throw HTTPError(.notFound) }
    let headers: HTTPFields = [.contentType: asset.type, .cacheControl: "no-cache"]
    return try await request.ifNoneMatch(headers: [:], eTag: asset.tag, context: context) {
      Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.contents))
    }
  }
}
