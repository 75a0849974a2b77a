import Foundation
import SQLiteDriver
import Testing

@Suite(
  "Commands with a store on a server",
  .enabled(if: Program.url != nil, "the program is not built"),
  .enabled(if: ServerSchema.server != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
)
struct ServerCommandTests {
  private let program: Program
  private let schema = ServerSchema()

  init() throws {
    program = try Program()
    try program.seed()
  }

  private func seedServer() throws {
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "Category: 6 created\nNote: 36 created\nTag: 8 created\n")
  }

  @Test("seed, fetch, inspect, dump and compare as with a file")
  func reading() throws {
    try seedServer()
    let again = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url)
    #expect(again.output.contains("Note: 36 skipped"))
    #expect(try program.run("dump", schema.url).output == program.run("dump", "Notes.sqlite").output)
    let arguments = ["Note", "--where", "title CONTAINS[cd] 'e'", "--sort", "title", "--format", "csv"]
    let fetched = try program.run(["fetch", schema.url] + arguments)
    #expect(fetched.status == 0 && fetched.output.count > 100, "\(fetched.errors)")
    #expect(fetched.output == (try program.run(["fetch", "Notes.sqlite"] + arguments)).output)
    #expect(try program.run("fetch", schema.url, "Note", "--count").output == "36\n")
    let inspected = try program.run("inspect", schema.url)
    #expect(
      inspected.output.contains("store     \(schema.url)\ntype      PostgreSQL\n"),
      "\(inspected.errors)"
    )
    #expect(inspected.output.contains("model     in the store\n"))
    #expect(inspected.output.contains(/Note +36/))
    #expect(try program.run("seed", "diff", schema.url, "seed.json").status == 0)
    try schema.execute("UPDATE note SET title = 'another' WHERE z_pk = 1", program)
    let difference = try program.run("seed", "diff", schema.url, "seed.json")
    #expect(difference.status == 1 && difference.output.contains("another"))
    #expect(try program.run("check", schema.url).output == "nothing is wrong\n")
  }

  @Test("a dry run makes no store, and a seed that fails leaves none")
  func nothing() throws {
    let dry = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url, "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("Note: 36 created"), "\(dry.errors)")
    try program.write("{\"notes\": [{\"title\": 5}]}", to: "bad.json")
    let failed = try program.run("seed", "Notes.xcdatamodeld", "bad.json", "--store", schema.url)
    #expect(failed.status == 1)
    let names = try schema.query(
      "SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema.name)'",
      program
    )
    #expect(names == "0\n")
    let fetched = try program.run("fetch", schema.url, "Note")
    #expect(fetched.status == 1 && fetched.errorLines.count == 1)
    #expect(fetched.errors.contains("there is no store in the schema \(schema.name)"))
  }

  @Test("copies from a file to a server and back keep all objects under their keys")
  func copies() throws {
    let there = try program.run("copy", "Notes.sqlite", schema.url)
    #expect(there.status == 0, "\(there.errors)")
    let back = try program.run("copy", schema.url, "back.sqlite")
    #expect(back.status == 0, "\(back.errors)")
    let dump = try program.run("dump", "Notes.sqlite").output
    #expect(dump.count > 1000)
    #expect(try program.run("dump", schema.url).output == dump)
    #expect(try program.run("dump", "back.sqlite").output == dump)
    for store in [schema.url, "back.sqlite"] {
      #expect(try program.run("check", store).output == "nothing is wrong\n")
    }
    #expect(try rows("back.sqlite") == rows("Notes.sqlite"))
    let identity = try program.run("inspect", "Notes.sqlite").output.split(separator: "\n")[2]
    #expect(try program.run("inspect", schema.url).output.contains(identity))
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url)
    #expect(seeded.output.contains("Note: 36 skipped"))
    let taken = try program.run("copy", "Notes.sqlite", schema.url)
    #expect(taken.status == 1 && taken.errors.contains("has a store already"), "\(taken.errors)")
  }

  /// The rows of the notes and of their tags in a SQLite store.
  private func rows(_ store: String) throws -> [String] {
    let queue = try SQLiteConnection(path: program.folder.appendingPathComponent(store).path)
    defer { try? queue.close() }
    return try queue.read { database in
      let join = try String.fetchOne(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
      )
      let tables = ["ZNOTE", "ZTAG", "ZCATEGORY"] + [join].compactMap { $0 }
      return try tables.flatMap { table in
        try DatabaseRow.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map {
          "\(table) \($0)"
        }
      }
    }
  }

  @Test("a file is built from a server's store, twice the same")
  func built() throws {
    try seedServer()
    for name in ["one.sqlite", "other.sqlite"] {
      let outcome = try program.run("build-store", "Notes.xcdatamodeld", schema.url, "-o", name)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let files = try ["one.sqlite", "other.sqlite"].map {
      try Data(contentsOf: program.folder.appendingPathComponent($0))
    }
    #expect(files[0] == files[1])
    #expect(!program.exists("one.sqlite-wal"))
    #expect(try program.run("dump", "one.sqlite").output == program.run("dump", schema.url).output)
  }

  @Test("an option without a meaning on a server is one line with the remedy")
  func meaningless() throws {
    try seedServer()
    for (arguments, word) in [
      (["backup", schema.url, "-o", "b.sqlite"], "pg_dump"), (["maintain", schema.url], "autovacuum"),
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(word))
    }
    for arguments in [
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url, "--compact"],
      ["seed", "Notes.xcdatamodeld", schema.url, "--store", "new.sqlite"],
      ["copy", "Notes.sqlite", schema.url, "--type", "xml"],
      ["migrate", schema.url, "--to", "Notes.xcdatamodeld", "--backup"],
    ] {
      #expect(try program.run(arguments).status == 64)
    }
  }

  @Test(
    "a password in a URL is refused, and is in nothing that is printed",
    arguments: [
      ["fetch", "URL", "Note"], ["inspect", "URL"], ["dump", "URL"], ["check", "URL"],
      ["backup", "URL", "-o", "b"],
      ["copy", "URL", "b.sqlite"], ["copy", "Notes.sqlite", "URL"], ["maintain", "URL"],
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "URL"], ["seed", "diff", "URL", "seed.json"],
      ["migrate", "URL", "--to", "Notes.xcdatamodeld"], ["hashes", "URL"],
      ["build-store", "Notes.xcdatamodeld", "URL", "-o", "b.sqlite"],
      ["generate-data", "Notes.xcdatamodeld", "--count", "Note=1", "--store", "URL"],
      ["decompile", "URL", "-o", "b.xcdatamodeld"],
    ]
  )
  func passwords(arguments: [String]) throws {
    for url in [
      "postgresql://me:pa55word@localhost/db?schema=a", "postgres://localhost/db?password=pa55word",
    ] {
      let outcome = try program.run(arguments.map { $0 == "URL" ? url : $0 })
      #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.contains("PGPASSWORD"), "\(outcome.errors)")
      #expect(!(outcome.output + outcome.errors).contains("pa55word"), "\(outcome.errors)")
    }
  }

  @Test("a server that cannot be reached is one line")
  func unreachable() throws {
    let outcome = try program.run("fetch", "postgresql://nobody@127.0.0.1:1/none?schema=a", "Note")
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("127.0.0.1"))
  }

  @Test(
    "a command that needs all rows fails if a row-level security policy hides some",
    arguments: [
      ["dump", "URL"], ["inspect", "URL"], ["seed", "diff", "URL", "seed.json"], ["check", "URL"],
      ["check", "URL", "--repair"], ["copy", "URL", "copy.sqlite"], ["copy", "URL", "copy.xml"],
      ["build-store", "Notes.xcdatamodeld", "URL", "-o", "built.sqlite"],
    ]
  )
  func hiddenRows(arguments: [String]) throws {
    try seedServer()
    let role = "looker_\(schema.name.suffix(8))"
    defer { _ = try? schema.query("DROP OWNED BY \(role); DROP ROLE \(role)", program) }
    try schema.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema.name) TO \(role); \
      GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role); ALTER TABLE note ENABLE ROW LEVEL SECURITY
      """,
      program
    )
    var parts = try #require(URLComponents(string: schema.url))
    parts.user = role
    let url = try #require(parts.string)
    #expect(try program.run("fetch", url, "Note", "--count").output == "0\n")
    let outcome = try program.run(arguments.map { $0 == "URL" ? url : $0 })
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(outcome.errors.contains("row-level security policy"), "\(outcome.errors)")
    #expect(!["copy.sqlite", "copy.xml", "built.sqlite"].contains(where: program.exists))
  }

  @Test("processes that seed one schema at once seed once, also when none finds a store", arguments: 0..<3)
  func atOnce(round: Int) throws {
    let line = "perennial seed Notes.xcdatamodeld seed.json --store '\(schema.url)'"
    let all = "sh -c \"\(line) >out{} 2>err{}; echo \\$? >status{}\""
    _ = try program.shell("seq 0 5 | xargs -P 6 -I{} \(all)")
    let texts = try (0..<6).map { number in
      try ["status", "out", "err"].map {
        try String(contentsOf: program.folder.appendingPathComponent("\($0)\(number)"), encoding: .utf8)
      }
    }
    #expect(texts.allSatisfy { $0[0] == "0\n" }, "\(texts)")
    #expect(texts.count { $0[1].contains("Note: 36 created") } == 1)
    #expect(texts.count { $0[1].contains("Note: 36 skipped") } == 5)
    #expect(try program.run("fetch", schema.url, "Note", "--count").output == "36\n")
  }
}
