import Deflate
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Static files")
struct StaticFileTests {
  private static func get(_ store: BrowsedStore, _ fields: HTTPFields) async throws -> TestResponse {
    var fields = fields
    fields[.cookie] = BrowsedStore.cookie
    return try await store.ask("/assets/style.css", headers: fields)
  }

  @Test("A static file is compressed for clients that accept gzip, with equal contents")
  func compressed() async throws {
    let store = try BrowsedStore()
    let plain = try await Self.get(store, [:])
    let small = try await Self.get(store, [.acceptEncoding: "br, gzip;q=0.8"])
    #expect(plain.headers[.contentEncoding] == nil && small.headers[.contentEncoding] == "gzip")
    #expect(small.body.readableBytes < plain.body.readableBytes / 2)
    let data = try Deflate.expanded(Data(small.body.readableBytesView), wrapping: .gzip, atMost: 10_000_000)
    #expect(data == Data(plain.body.readableBytesView))
    #expect(small.headers[.vary] == "Accept-Encoding")
  }

  @Test(
    "A static file is sent uncompressed to clients that do not accept gzip",
    arguments: ["gzip;q=0", "br", "identity", "gzip; q=0.00"]
  )
  func uncompressed(encodings: String) async throws {
    let response = try await Self.get(try BrowsedStore(), [.acceptEncoding: encodings])
    #expect(response.headers[.contentEncoding] == nil)
  }

  @Test("A static file that a browser has is not sent again, and is kept by that browser alone")
  func cached() async throws {
    let store = try BrowsedStore()
    let first = try await Self.get(store, [:])
    let tag = try #require(first.headers[.eTag])
    #expect(first.headers[.cacheControl] == "private, no-cache")
    for field in [tag, "\"x\", \(tag)"] {
      let second = try await Self.get(store, [.ifNoneMatch: field])
      #expect(second.status == .notModified && second.body.readableBytes == 0)
      #expect(second.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
    }
    #expect(try await Self.get(store, [.ifNoneMatch: "\"other\""]).status == .ok)
    let stranger = try await store.ask("/assets/style.css", headers: [.ifNoneMatch: tag])
    #expect(stranger.status == .unauthorized)
  }
}
