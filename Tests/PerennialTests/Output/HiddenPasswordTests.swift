import Foundation
import Testing

@testable import PerennialCommands

@Suite("A password in a URL")
struct HiddenPasswordTests {
  /// Command lines with a URL in each position of each command.
  private static let lines: [[String]] = [
    ["compile", "URL"], ["compile", "Notes.xcdatamodeld", "-o", "URL"], ["decompile", "URL", "-o", "x"],
    ["hashes", "URL"], ["diff", "URL", "Notes.xcdatamodeld"], ["diff", "Notes.xcdatamodeld", "URL"],
    ["diagram", "URL"], ["diagram", "Notes.xcdatamodeld", "-o", "URL/x.svg"], ["generate", "URL", "-o", "x"],
    ["schema", "URL"], ["schema", "Notes.xcdatamodeld", "-o", "URL"], ["port", "URL"],
    ["generate-data", "URL", "--count", "Tag=1"], ["generate-data", "Notes.xcdatamodeld", "--count", "URL"],
    ["generate-data", "Notes.xcdatamodeld", "--count", "Tag=1", "--store", "URL"],
    ["fetch", "URL", "Tag"], ["fetch", "Notes.sqlite", "URL"], ["fetch", "Notes.sqlite", "Tag", "URL"],
    ["fetch", "Notes.sqlite", "Tag", "--model", "URL"], ["fetch", "Notes.sqlite", "Tag", "--where", "URL"],
    ["fetch", "Notes.sqlite", "Tag", "--format", "URL"], ["fetch", "Notes.sqlite", "Tag", "--log", "URL"],
    ["inspect", "URL"], ["dump", "URL"], ["dump", "Notes.sqlite", "-o", "URL"],
    ["dump", "Notes.sqlite", "--entity", "URL"], ["copy", "URL", "x"], ["copy", "Notes.sqlite", "URL"],
    ["copy", "Notes.sqlite", "x", "--type", "URL"], ["backup", "URL", "-o", "x"],
    ["backup", "Notes.sqlite", "-o", "URL"], ["check", "URL"], ["check", "Notes.sqlite", "--model", "URL"],
    ["check", "Notes.sqlite", "--lock-timeout", "URL"], ["maintain", "URL"], ["doctor", "URL"],
    ["doctor", "URL/x.xcdatamodeld"], ["migrate", "URL", "--to", "Notes.xcdatamodeld"],
    ["migrate", "Notes.sqlite", "--to", "URL"],
    ["migrate", "Notes.sqlite", "--to", "Notes.xcdatamodeld", "--from", "URL"],
    ["migrate", "Notes.sqlite", "--to", "Titles.xcdatamodel", "--mapping", "URL"],
    ["seed", "URL", "seed.json", "--store", "Notes.sqlite"],
    ["seed", "Notes.xcdatamodeld", "URL", "--store", "Notes.sqlite"],
    ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "URL"],
    ["seed", "Notes.xcdatamodeld", "seed.json", "--mode", "URL"], ["seed", "diff", "URL", "seed.json"],
    ["seed", "diff", "Notes.sqlite", "URL"], ["build-store", "URL", "seed.json", "-o", "x"],
    ["build-store", "Notes.xcdatamodeld", "seed.json", "-o", "URL"], ["init", "URL"], ["URL"], ["--URL"],
  ]

  @Test(
    "a password in a URL is not in any output of a command, wherever the URL is",
    .enabled(if: Program.url != nil, "the program perennial is not beside the tests"),
    arguments: ["postgresql://anna:s3cret@127.0.0.1:1/db", "POSTGRES://anna:s3cret@127.0.0.1:1/db"]
  )
  func commands(_ url: String) throws {
    let program = try Program()
    try program.seed()
    try program.write(
      #"<model><entity name="Note"><attribute name="title" attributeType="String"/></entity></model>"#,
      to: "Titles.xcdatamodel/contents"
    )
    for line in Self.lines {
      let outcome = try program.run(line.map { $0.replacingOccurrences(of: "URL", with: url) })
      #expect(!(outcome.output + outcome.errors).contains("s3cret"), "\(line): \(outcome.errors)")
    }
  }

  @Test(
    "a password is removed from a text, and the rest stays",
    arguments: [
      ("no store at postgresql://u:s3cret@h:5432/db.", "no store at postgresql://u:…@h:5432/db."),
      ("postgresql://u:s3@cr/et@h/db", "postgresql://u:…@h/db"),
      ("'https://u:s3cret@h/seed.json' is", "'https://u:…@h/seed.json' is"),
      ("postgresql://h/db?user=u&Password=s3cret&schema=x", "postgresql://h/db?user=u&Password=…&schema=x"),
      ("postgresql://h/db?sslpassword=s3cret", "postgresql://h/db?sslpassword=…"),
      ("/tmp/postgresql:/u:s3cret@h/db", "/tmp/postgresql:/u:…@h/db"),
      ("https://h:443/a@b and mailto:a@b", "https://h:443/a@b and mailto:a@b"),
      ("postgresql://u@h/db", "postgresql://u@h/db"), ("12:30 anna@h", "12:30 anna@h"),
    ]
  )
  func hidden(_ text: String, _ wanted: String) {
    #expect(HiddenPasswords.hide(in: text) == wanted)
    #expect(HiddenPasswords.hide(in: wanted) == wanted)
  }
}
