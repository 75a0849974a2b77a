import Foundation
import Testing

@testable import PerennialCommands

@Suite("The URL of a server in messages")
struct ServerURLTests {
  @Test(
    "a URL without a password is shown as it is",
    arguments: [
      "postgresql://", "postgres://shop@db.example.com/shop?schema=notes",
      "postgresql:///shop?host=/run/postgresql",
      "postgresql://[::1]:5433/d", "postgresql://one:1,two:2/shop?without=listen,folding",
      "postgresql://u%40x@localhost/a%20b?application_name=me&sslmode=require", "postgresql:///?service=shop",
    ]
  )
  func plain(_ url: String) {
    let parts = ServerURL(url)
    #expect(parts.shown == url)
    #expect(parts.isPlain && !parts.hasPassword)
  }

  @Test(
    "a password in its place is left out, and noticed",
    arguments: [
      ("postgresql://shop:secret@db/x?schema=n", "postgresql://shop@db/x?schema=n"),
      ("postgresql://db/x?password=secret&schema=n", "postgresql://db/x?password=…&schema=n"),
      ("postgresql://db/x?Password=secret", "postgresql://db/x?Password=…"),
      ("postgresql://db/x?%50assword=secret", "postgresql://db/x?Password=…"),
      ("postgresql://db/x?sslpassword=secret", "postgresql://db/x?sslpassword=…"),
    ]
  )
  func password(_ url: String, _ shown: String) {
    let parts = ServerURL(url)
    #expect(parts.shown == shown)
    #expect(parts.hasPassword)
  }

  @Test(
    "a URL whose password cannot be separated from the rest is not shown at all",
    arguments: [
      "shop:p@secret@db/x", "shop:secret@tail@127.0.0.1:5432/x?schema=n", "shop:se/cret@db/x",
      "shop:se?cret@db/x",
      "shop:1/secret@db", "shop:1?secret=1@db", "shop:secret#x@db/x", "shop:se:cret@db/x", "shop@secret@db/x",
      "shop:secret", "[secret", "db/x?application_name=a@secret", "shop:secret@\u{301}db/x",
    ]
  )
  func malformed(_ rest: String) {
    let parts = ServerURL("postgresql://\(rest)")
    #expect(parts.shown == "postgresql://…")
    #expect(!parts.isPlain)
  }

  @Test("the value of an unknown parameter is not shown")
  func unknownParameter() {
    #expect(ServerURL("postgresql://db/x?token=secret").shown == "postgresql://db/x?token=…")
    #expect(ServerURL("postgresql://db/x?t0k%26n=secret").shown == "postgresql://db/x?=…")
  }

  @Test("a server store's URL is printed without its password, and with a note that there is one")
  func location() {
    let location = StoreLocation(argument: "postgresql://shop:secret@tail@127.0.0.1:5432/x?schema=n")
    #expect(location.description == "postgresql://…")
    let failure = #expect(throws: CommandFailure.self) { try location.check() }
    #expect(
      failure?.description.contains("tail") == false && failure?.description.contains("secret") == false
    )
  }
}
