import Foundation
import HTTPTestClient
import NIOCore
import Testing

@testable import Browser

@Suite("Requests with bodies")
struct RequestBodyTests {
  private static let megabyte = 1_048_576
  /// More pieces than any server accepts before it closes the connection, however slow it is.
  private static let most = megabyte

  private static func head(_ method: String, _ fields: String) -> String {
    "\(method) / HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\(fields)\r\n\r\n"
  }

  @Test(
    "Requests with bodies of 100 MB and of 1 TB are refused by their heads, and the bodies are not read",
    arguments: [
      ("POST", "", "405"), ("PUT", "", "405"), ("GET", "", "413"), ("HEAD", "", "413"),
      ("POST", "Expect: 100-continue\r\n", "405"), ("GET", "Expect: 100-continue\r\n", "413"),
      ("GET", "Connection: keep-alive\r\n", "413"),
    ],
    [100, megabyte]
  )
  func huge(request: (method: String, fields: String, status: String), megabytes: Int) async throws {
    let store = try BrowsedStore()
    let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: Self.megabyte)
    let fields = "\(request.fields)Content-Length: \(megabytes * Self.megabyte)"
    let head = Self.head(request.method, fields)
    let (answer, sent) = try await store.flood(head, with: piece, atMost: megabytes)
    #expect(answer.hasPrefix("HTTP/1.1 \(request.status)"), "\(answer.prefix(80))")
    #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    // The buffers of the sockets can hold the whole smaller body when the server closes the connection.
    if megabytes > 100 { #expect(sent < megabytes) }
  }

  @Test("An endless chunked request is refused by its head", arguments: [("POST", "405"), ("GET", "413")])
  func endless(method: String, status: String) async throws {
    let store = try BrowsedStore()
    let chunk = ByteBuffer(string: "100000\r\n" + String(repeating: "x", count: Self.megabyte) + "\r\n")
    let head = Self.head(method, "Transfer-Encoding: chunked")
    let (answer, sent) = try await store.flood(head, with: chunk, atMost: Self.most)
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(80))")
    #expect(sent < Self.most)
  }

  @Test(
    "A request of ambiguous length is refused, and the bytes after it are not a request",
    arguments: [
      "Content-Length: -1", "Content-Length: +5", "Content-Length: 0x10", "Content-Length: 1e9",
      "Content-Length: 99999999999999999999", "Content-Length: 5, 6",
      "Content-Length: 5\r\nContent-Length: 6",
      "Content-Length: 0\r\nContent-Length: 44", "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: gzip",
      "Transfer-Encoding: identity", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding:\u{B}chunked",
    ]
  )
  func doubtfulLength(fields: String) async throws {
    let store = try BrowsedStore()
    let next = "GET /model HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    let answer = try await store.send(Self.head("GET", fields) + next)
    #expect(RawClient.isRefusal(answer), "\(answer.prefix(80))")
    #expect(!answer.contains("200 OK"))
  }

  @Test("A request with a body of length zero is answered like one without a body")
  func none() async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(Self.head("GET", "Content-Length: 0\r\nConnection: close"))
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(80))")
  }
}
