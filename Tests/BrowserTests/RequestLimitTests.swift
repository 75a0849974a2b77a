import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Requests beyond measure")
struct RequestLimitTests {
  private static func text(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// Heads that never come to their end: the empty line is missing.
  private static let floods: [String] = [
    "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(text("x", 200_000))\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\(text("x", 200_000)): a\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\(text("X-Field: a\r\n", 1_000))",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\(text("X-Field: a\r\n", 15_000))",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\(text("X-Field: \(text("x", 2_000))\r\n", 90))",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\(text("Cookie: a=b\r\n", 5_000))",
    "GET / HTTP/1.1\r\nHost: \(text("localhost", 20_000))\r\n",
    "GET /\(text("x", 200_000)) HTTP/1.1\r\nHost: localhost\r\n",
    "GET /\(text("../", 60_000)) HTTP/1.1\r\nHost: localhost\r\n",
    "GET /?\(text("a=b&", 50_000)) HTTP/1.1\r\nHost: localhost\r\n",
    "\(text("G", 200_000)) / HTTP/1.1\r\nHost: localhost\r\n",
    text("\r\n", 100_000) + "GET / HTTP/1.1\r\nHost: evil.example\r\n",
  ]

  @Test("A request with an endless head is refused", arguments: floods.indices)
  func flood(index: Int) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(Self.floods[index] + "Cookie: \(BrowsedStore.cookie)\r\n\r\n")
    #expect(RawClient.isRefusal(answer), "\(answer.prefix(80))")
  }

  @Test(
    "A long request below the limit of a head is answered",
    arguments: [
      ("/\(text("x", 20_000))", 404), ("/\(text("x/", 10_000))", 404), ("/\(text("%2e%2e/", 3_000))", 404),
      ("/entity/\(text("x", 20_000))", 404), ("/entity/Note/1/value/\(text("x", 20_000))", 404),
      ("/entity/Note/\(text("1", 20_000))", 404), ("/?\(text("x", 20_000))", 200),
      ("/?\(text("&", 20_000))", 200), ("/?\(text("a=b&", 5_000))", 200), ("/?\(text("=", 20_000))", 200),
      ("/entity/Note?\(text("where&", 3_000))", 200), ("/entity/Note?sort=\(text("x", 20_000))", 400),
    ]
  )
  func long(path: String, status: Int) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    let response = try await store.get(path)
    #expect(response.status.code == status, "\(path.prefix(40))")
  }

  private static let deep: [String] = [
    text("(", 5_000), text("(", 3_000) + "1 == 1" + text(")", 3_000), text("NOT ", 4_000) + "1 == 1",
    text("!", 5_000) + "1 == 1", text("1+", 4_000) + "1 == 2", text("-", 5_000) + "1 == 1",
    text("{", 3_000) + text("}", 3_000) + " == title", text("title == 'a' AND (", 800),
    text("title == 'a' OR ", 800) + "title == 'b'", text("abs(", 2_500) + "1" + text(")", 2_500) + " == 1",
    text("SUBQUERY(tags, $a, ", 500), text("author.notes.", 1_200) + "title == 'a'", text("[", 5_000),
    text("ANY ", 4_000) + "tags.name == 'a'", "title IN {" + text("'a',", 2_500) + "'b'}", text("'", 5_001),
    text("%40", 3_000), text("$", 5_000), "title LIKE '" + text("*", 5_000) + "'",
    "title BEGINSWITH '" + text("\u{301}", 2_000) + "'", "rating == " + text("9", 5_000),
  ]

  @Test("A request with an extreme predicate is answered by a page", arguments: deep.indices)
  func predicates(index: Int) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One", "rating": 1], in: $0) }
    let predicate = PageAddress.encoded(Self.deep[index])
    for path in [
      "/entity/Note?where=\(predicate)", "/entity/Note/count.json?where=\(predicate)",
      "/entity/Note/facet?by=title&where=\(predicate)", "/entity/Note/export.csv?where=\(predicate)",
      "/entity/Note/completions.json?text=\(predicate)",
    ] where path.utf8.count < 30_000 {
      let response = try await store.get(path)
      #expect([.ok, .badRequest].contains(response.status), "\(path.prefix(80)): \(response.status)")
    }
  }

  @Test(
    "A request with extreme numbers is answered by a page",
    arguments: [
      "/entity/Note?after=9223372036854775807", "/entity/Note?after=-9223372036854775808",
      "/entity/Note?before=9223372036854775807", "/entity/Note?before=-9223372036854775808",
      "/entity/Note?after=99999999999999999999",
      "/entity/Note?sort=rating&after=1&value=i9223372036854775807",
      "/entity/Note?sort=rating&before=1&value=i-9223372036854775808",
      "/entity/Note?sort=weight&after=1&value=r1e308", "/entity/Note?sort=weight&after=1&value=rinf",
      "/entity/Note?sort=weight&after=1&value=r-inf", "/entity/Note?sort=weight&after=1&value=rnan",
      "/entity/Note?sort=createdAt&after=1&value=d1e308",
      "/entity/Note?sort=createdAt&before=1&value=d-1e308",
      "/entity/Note?sort=createdAt&after=1&value=dnan", "/entity/Note?sort=price&after=1&value=m1e127",
      "/entity/Note?sort=price&after=1&value=m-", "/entity/Note?sort=price&after=1&value=m1e99999999999",
      "/entity/Note?sort=title&after=1&value=i1", "/entity/Note?sort=identifier&after=1&value=u1",
      "/entity/Note?of=Note&key=9223372036854775807&owner=Note&relationship=tags",
      "/entity/Note?of=Note&key=-1&owner=Note&relationship=tags", "/history?before=-9223372036854775808",
      "/diagram?entity=Note&distance=9223372036854775807", "/diagram?entity=Note&distance=-1",
      "/entity/Note/completions.json?text=ti&cursor=9223372036854775807",
      "/entity/Note/completions.json?text=ti&cursor=-9223372036854775808",
      "/entity/Note?where=rating+%3D%3D+9223372036854775808", "/entity/Note?where=rating+/+0+%3D%3D+1",
      "/entity/Note?where=rating+modulus:by:+0", "/entity/Note?where=weight+%3D%3D+1e999",
      "/entity/Note?where=createdAt+%3C+CAST(1e308,+%22NSDate%22)",
    ]
  )
  func numbers(path: String) async throws {
    let store = try BrowsedStore { context in
      let values: [String: Any?] = ["title": "One", "rating": Int32.max, "weight": Double.infinity]
      _ = BrowsedStore.insert("Note", values, in: context)
    }
    let response = try await store.get(path)
    #expect([.ok, .badRequest, .notFound].contains(response.status), "\(path): \(response.status)")
  }
}
