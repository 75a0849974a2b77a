import Foundation
import Testing

@Suite(
  "perennial build-store",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct BuildStoreCommandTests {
  /// A model with everything that could make two builds of a store differ: uniqueness constraints, an ordered and an
  /// unordered to-many relationship, `now()`, user info, fetch requests, several version identifiers.
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="1.0">
      <entity name="Author" representedClassName="NSManagedObject">
        <attribute name="name" attributeType="String"/>
        <attribute name="touched" optional="YES" attributeType="Date" derived="YES" derivationExpression="now:()"
          usesScalarValueType="NO"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book"
          inverseName="authors" inverseEntity="Book"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="b" value="1"/><entry key="a" value="2"/><entry key="c" value="3"/></userInfo>
      </entity>
      <entity name="Book" representedClassName="NSManagedObject">
        <attribute name="isbn" attributeType="String"/>
        <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="price" attributeType="Decimal" defaultValueString="9.95"/>
        <relationship name="authors" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Author"
          inverseName="books" inverseEntity="Author"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <fetchRequest name="All" entity="Book" predicateString="price &gt; 1"/>
    </model>
    """

  private let program: Program

  init() throws {
    program = try Program()
    let folder = program.folder.appendingPathComponent("Books.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write(Self.model, to: "Books.xcdatamodel/contents")
    let authors = (1...60).map { "Author \($0)" }
    try program.write("name\n" + authors.joined(separator: "\n") + "\n", to: "authors.csv")
    let books = (1...40).map { number in
      let names = (0..<5).map { "\"\(authors[(number * 7 + $0 * 11) % 60])\"" }.joined(separator: ", ")
      return "{\"isbn\": \"\(number)\", \"authors\": [\(names)]}"
    }
    try program.write(books.joined(separator: "\n"), to: "books.jsonl")
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: program.folder.appendingPathComponent(name))
  }

  @Test("the same seeds give the same bytes, with constraints, joined tables and now()")
  func sameBytes() throws {
    for name in ["1.sqlite", "2.sqlite", "3.sqlite"] {
      let outcome = try program.run(
        "build-store",
        "Books.xcdatamodel",
        "authors.csv",
        "books.jsonl",
        "-o",
        name
      )
      #expect(
        outcome.status == 0 && outcome.output == "Author: 60 created\nBook: 40 created\n",
        "\(outcome.errors)"
      )
    }
    #expect(try bytes("1.sqlite") == bytes("2.sqlite"))
    #expect(try bytes("1.sqlite") == bytes("3.sqlite"))
    let touched = try program.run(
      "fetch",
      "1.sqlite",
      "Author",
      "--columns",
      "touched",
      "--limit",
      "1",
      "--format",
      "csv"
    )
    #expect(touched.output == "touched\n2001-01-01T00:00:00Z\n", "\(touched.output)")
  }

  @Test("more seeds than go in at once give the same bytes too")
  func many() throws {
    let lines = (1...21_000).map {
      "{\"isbn\": \"\($0)\", \"authors\": [\"Author \($0 % 60 + 1)\", \"Author \($0 % 7 + 1)\"]}"
    }
    try program.write(lines.joined(separator: "\n"), to: "books.jsonl")
    for name in ["1.sqlite", "2.sqlite"] {
      let outcome = try program.run(
        "build-store",
        "Books.xcdatamodel",
        "authors.csv",
        "books.jsonl",
        "-o",
        name,
        "--quiet"
      )
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try bytes("1.sqlite") == bytes("2.sqlite"))
  }

  @Test("other seeds or another SOURCE_DATE_EPOCH make another store, with another UUID or date")
  func others() throws {
    let build = "perennial build-store Notes.xcdatamodeld seed.json --quiet"
    #expect(try program.shell("\(build) -o 1.sqlite && \(build) tags.csv -o 2.sqlite").status == 1)
    try program.write("name\nNew\n", to: "tags.csv")
    #expect(try program.shell("\(build) tags.csv -o 2.sqlite").status == 0)
    #expect(try program.shell("SOURCE_DATE_EPOCH=1700000000 \(build) -o 3.sqlite").status == 0)
    let uuids = try ["1.sqlite", "2.sqlite", "3.sqlite"].map { name in
      try program.shell("sqlite3 \(name) 'SELECT Z_UUID FROM Z_METADATA'").output
    }
    #expect(
      uuids[0] != uuids[1] && uuids[0] == uuids[2] && UUID(uuidString: String(uuids[0].dropLast())) != nil
    )
    #expect(try bytes("1.sqlite") != bytes("3.sqlite"))
    let wrong = try program.shell("SOURCE_DATE_EPOCH=today \(build) -o 4.sqlite")
    #expect(
      wrong.errorLines == [
        "Error: SOURCE_DATE_EPOCH: \"today\" is not a number of seconds in the years 0 to 9999; give whole seconds since "
          + "1970, or unset it"
      ]
    )
  }

  @Test("the store is one compact file, which opens in a read-only folder")
  func readOnly() throws {
    let shipped = program.folder.appendingPathComponent("shipped")
    try FileManager.default.createDirectory(at: shipped, withIntermediateDirectories: true)
    #expect(
      try program.run("build-store", "Notes.xcdatamodeld", "seed.json", "-o", "shipped/Notes.sqlite").status
        == 0
    )
    // Root may write despite the permissions, so the folder's contents prove that the fetch wrote no file.
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: 0o555)],
      ofItemAtPath: shipped.path
    )
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: NSNumber(value: 0o755)],
        ofItemAtPath: shipped.path
      )
    }
    let fetched = try program.run("fetch", "shipped/Notes.sqlite", "Note", "--count")
    #expect(fetched.output == "36\n", "\(fetched.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: shipped.path) == ["Notes.sqlite"])
    let state = try program.shell(
      "sqlite3 shipped/Notes.sqlite 'PRAGMA journal_mode; PRAGMA freelist_count; SELECT COUNT(*) > 0 FROM sqlite_stat1'"
    )
    #expect(state.output == "delete\n0\n1\n")
  }

  @Test("an output that is there is kept, replaced with --force, and survives a failure")
  func present() throws {
    let build = ["build-store", "Notes.xcdatamodeld", "seed.json", "-o", "Notes.sqlite"]
    #expect(try program.run(build).status == 0)
    let first = try bytes("Notes.sqlite")
    let refused = try program.run(build)
    #expect(refused.status == 1)
    #expect(
      refused.errorLines == [
        "Error: Notes.sqlite: the file is there already; give another name, or replace it with --force"
      ]
    )
    try program.write("{\"tags\": [{\"name\": 5}]}", to: "bad.json")
    let failed = try program.run(
      "build-store",
      "Notes.xcdatamodeld",
      "bad.json",
      "-o",
      "Notes.sqlite",
      "--force"
    )
    #expect(failed.status == 1 && failed.errors.contains("bad.json:1"))
    #expect(try bytes("Notes.sqlite") == first)
    try program.write("{\"tags\": [{\"name\": \"New\"}]}", to: "new.json")
    #expect(
      try program.run("build-store", "Notes.xcdatamodeld", "new.json", "-o", "Notes.sqlite", "--force").status
        == 0
    )
    #expect(try program.run("fetch", "Notes.sqlite", "Tag", "--count").output == "1\n")
    #expect(try names().filter { $0.contains("sqlite") } == ["Notes.sqlite"])
  }

  @Test("an obstacle at the output is an error that leaves nothing behind")
  func impossible() throws {
    try program.write("", to: "Old.sqlite-wal")
    let journal = try program.run("build-store", "Notes.xcdatamodeld", "seed.json", "-o", "Old.sqlite")
    #expect(
      journal.errors.hasPrefix(
        "Error: Old.sqlite-wal: the journal of another store is where the new one is to be"
      )
    )
    #expect(try names().filter { $0.contains("sqlite") } == ["Old.sqlite-wal"])
  }

  /// Writes two covers of the same bytes, a third of other bytes, and a small one.
  private func writeCovers(_ byte: UInt8 = 7) throws {
    let books = [(1, byte, 300_000), (2, byte, 300_000), (3, 9, 200_000), (4, 1, 10)].map {
      isbn,
      byte,
      count in
      let cover = Data(repeating: byte, count: count).base64EncodedString()
      return "{\"isbn\": \"\(isbn)\", \"cover\": \"\(cover)\"}"
    }
    try program.write(books.joined(separator: "\n"), to: "books.jsonl")
  }

  @Test("large values are files next to the store, with the same names and bytes each time")
  func external() throws {
    try writeCovers()
    let build = "perennial build-store Books.xcdatamodel books.jsonl --quiet"
    for folder in ["1", "2"] {
      let outcome = try program.shell("mkdir \(folder); \(build) -o \(folder)/Books.sqlite")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let files = try FileManager.default.contentsOfDirectory(
        atPath: program.folder.appendingPathComponent("\(folder)/.Books_SUPPORT/_EXTERNAL_DATA").path
      )
      #expect(files.count == 3)
      let all = try program.shell("ls -A \(folder)").output
      #expect(all == ".Books_SUPPORT\nBooks.sqlite\n")
    }
    let compared = try program.shell("diff -r 1 2 && echo same")
    #expect(compared.output == "same\n", "\(compared.output)")
    #expect(try program.shell("perennial check 1/Books.sqlite --model Books.xcdatamodel").status == 0)
    let dump = try program.shell("perennial dump 1/Books.sqlite -o 1.jsonl && grep -c cover 1.jsonl")
    #expect(dump.output == "4\n", "\(dump.errors)")
  }

  @Test("a store that is replaced takes its large values along, and no others' of the same name")
  func replacedExternal() throws {
    let build = "perennial build-store Books.xcdatamodel books.jsonl --quiet --force"
    let list = "ls .Books_SUPPORT/_EXTERNAL_DATA | sort"
    try writeCovers()
    #expect(try program.shell("\(build) -o Books.sqlite").status == 0)
    let first = try program.shell(list).output
    try writeCovers(8)
    #expect(try program.shell("\(build) -o Books.sqlite").status == 0)
    let second = try program.shell(list).output
    #expect(Set(first.split(separator: "\n")).intersection(second.split(separator: "\n")).count == 1)
    #expect(second.split(separator: "\n").count == 3)
    // A store with the same name and another extension shares the folder of external data.
    #expect(try program.shell("\(build) -o Books.store").status == 0)
    try program.write("{\"isbn\": \"1\"}", to: "books.jsonl")
    #expect(try program.shell("\(build) -o Books.sqlite").status == 0)
    #expect(try program.shell(list).output == second)
    #expect(
      try program.shell("perennial dump Books.store -o all.jsonl && grep -c cover all.jsonl").output == "4\n"
    )
    #expect(
      try program.shell("rm Books.store; \(build) -o Books.sqlite; ls -A").output.contains("SUPPORT") == false
    )
  }

  @Test("a folder of large values that is a link to another store's is refused")
  func linkedExternal() throws {
    try writeCovers()
    let outcome = try program.shell(
      "mkdir other; ln -s other .Books_SUPPORT; perennial build-store Books.xcdatamodel books.jsonl -o Books.sqlite"
    )
    #expect(outcome.status == 1 && outcome.errors.contains(".Books_SUPPORT"), "\(outcome.errors)")
    #expect(try program.shell("ls other Books.sqlite 2>/dev/null").output.contains("Books.sqlite") == false)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path).sorted()
  }
}
