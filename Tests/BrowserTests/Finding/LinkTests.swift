import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("Links that let others in")
struct PageLinkTests {
  @Test("A link with the token leads on to a page of the store")
  func leadsOn() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    let target = "/entity/Note?where=title%20%3D%3D%20%22One%22&sort=title"
    let response = try await store.ask(BrowsedStore.token.path + "?then=\(PageAddress.encoded(target))")
    #expect(response.status == .ok && response.headers[.setCookie] != nil)
    let escaped = target.replacing("&", with: "&amp;")
    #expect(String(buffer: response.body).contains("content=\"0;url=\(escaped)\""))
  }

  @Test(
    "A link never leads to another server",
    arguments: [
      "//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)", "evil", "",
      "/\"><script>alert(1)</script>", "/a;url=https://evil.example", "/a\r\nLocation: x", "/'x", "/\u{202E}",
      "/" + String(repeating: "x", count: 9_000),
    ]
  )
  func noOtherServer(target: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(BrowsedStore.token.path + "?then=\(PageAddress.encoded(target))")
    #expect(response.status == .ok)
    #expect(String(buffer: response.body).contains("content=\"0;url=/\""))
  }

  @Test("A link with another token leads nowhere")
  func wrongToken() async throws {
    let store = try BrowsedStore()
    let response = try await store.ask("/open/0123456789abcdef0123456789abcdee?then=/model")
    #expect(response.status == .unauthorized && response.headers[.setCookie] == nil)
  }

  @Test("Each page leads to its link, which has the token and the page")
  func page() async throws {
    let store = try BrowsedStore()
    #expect(try await store.page("/model").contains("href=\"/link\" data-link-to"))
    let page = try await store.page("/link?to=%2Fentity%2FNote%3Fsort%3Dtitle")
    #expect(page.contains("\(BrowsedStore.token.path)?then=%2Fentity%2FNote%3Fsort%3Dtitle\""))
    #expect(page.contains("until the command ends"))
    #expect(try await store.page("/link?to=%2F%2Fevil.example").contains("?then=%2F\""))
  }
}

@Suite("The token file")
struct TokenFileTests {
  private static let identifier = "0E984725-C51C-4BF4-9960-E1C80E27ABA0"

  private static func mode(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("A token file is made for its owner alone, and gives each store the same token again")
  func sameToken() throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    let first = try TokenFile(url).token(ofStore: Self.identifier)
    #expect(try Self.mode(url) == 0o600)
    #expect(first.text.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(try TokenFile(url).token(ofStore: Self.identifier).text == first.text)
    #expect(try TokenFile(url).token(ofStore: "another").text != first.text)
    let other = folder.url.appendingPathComponent("other")
    #expect(try TokenFile(other).token(ofStore: Self.identifier).text != first.text)
    #expect(try !String(contentsOf: url, encoding: .utf8).contains(first.text))
  }

  @Test(
    "A token file that others can read or write is refused",
    arguments: [0o640, 0o604, 0o620, 0o666, 0o601]
  )
  func readable(mode: Int) throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    _ = try TokenFile(url).token(ofStore: Self.identifier)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    #expect {
      _ = try TokenFile(url).token(ofStore: Self.identifier)
    } throws: {
      $0 is TokenFileError && "\($0)".contains("other users can read or write it; delete it")
    }
  }

  @Test(
    "A file that has no token is refused, and stays as it is",
    arguments: [
      "", "x", "0123456789abcdef", String(repeating: "g", count: 64), String(repeating: "a", count: 65),
    ]
  )
  func noToken(text: String) throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    #expect(throws: TokenFileError.self) { try TokenFile(url).token(ofStore: Self.identifier) }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }

  @Test("A folder, a link and a place without a folder are refused")
  func noFile() throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    _ = try TokenFile(url).token(ofStore: Self.identifier)
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    for place in [folder.url, link, folder.url.appendingPathComponent("none/token")] {
      #expect(throws: TokenFileError.self) { try TokenFile(place).token(ofStore: Self.identifier) }
    }
  }

  @Test("Starts at the same time agree on one token, and leave no other file")
  func concurrentStarts() async throws {
    for _ in 0..<20 {
      let folder = try TestFolder()
      let url = folder.url.appendingPathComponent("token")
      let tokens = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<32 { group.addTask { try TokenFile(url).token(ofStore: Self.identifier).text } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(tokens.count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["token"])
      #expect(try Self.mode(url) == 0o600)
      #expect(try tokens == [TokenFile(url).token(ofStore: Self.identifier).text])
    }
  }

  @Test(
    "A start reads an existing token file in a folder without write permission",
    .enabled(if: geteuid() != 0, "root may write in every folder")
  )
  func readOnlyFolder() throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    let token = try TokenFile(url).token(ofStore: Self.identifier).text
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    }
    #expect(try TokenFile(url).token(ofStore: Self.identifier).text == token)
  }

  @Test("A server with a token file has the same address when it is started again")
  func server() async throws {
    let folder = try TestFolder()
    let url = folder.url.appendingPathComponent("token")
    let store = try BrowsedStore()
    let identifier = try #require(store.coordinator.persistentStores.first?.identifier)
    let token = try TokenFile(url).token(ofStore: identifier)
    for _ in 0..<2 {
      let server = try BrowserServer(store.coordinator, name: "Notes", port: 0, tokenFile: url)
      let status = try await server.application().test(.live) { client in
        try await client.execute(uri: token.path, method: .get, headers: [:], body: nil).status
      }
      #expect(status == .ok)
    }
  }
}
