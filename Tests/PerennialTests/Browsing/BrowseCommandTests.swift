import Foundation
import Testing

@Suite("perennial browse")
struct BrowseCommandTests {
  @Test("perennial browse prints a local address, and exits with success when it is interrupted")
  func serves() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.shell(
      """
      perennial browse Notes.sqlite --no-open --port 0 > address & server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      kill -INT $server; wait $server; status=$?
      cat address; exit $status
      """
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let address = /Browse the store at http:\/\/127\.0\.0\.1:[0-9]+\/open\/[0-9a-f]{32}\n/
    #expect(outcome.output.contains(address), "\(outcome.output)")
  }

  @Test("perennial browse leaves the store unchanged")
  func readsOnly() throws {
    let program = try Program()
    try program.seed()
    let store = program.folder.appendingPathComponent("Notes.sqlite")
    let before = try Data(contentsOf: store)
    _ = try program.shell(
      """
      perennial browse Notes.sqlite --no-open --port 0 > address & server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      kill -TERM $server; wait $server
      """
    )
    #expect(try Data(contentsOf: store) == before)
  }

  @Test(
    "perennial browse of a file that is not a store fails with one line",
    arguments: [
      ["nothing.sqlite"], ["seed.json"], ["Notes.xcdatamodeld"], ["Notes.sqlite", "--model", "seed.json"],
    ]
  )
  func failures(arguments: [String]) throws {
    let program = try Program()
    if arguments[0] == "Notes.sqlite" { try program.seed() }
    let outcome = try program.run(["browse", "--no-open"] + arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
  }

  @Test("perennial browse fails with one line that names a store or model that it cannot compare with")
  func wrongCounterparts() throws {
    let program = try Program()
    try program.seed()
    try program.write("<model><entity name=\"Other\"/></model>", to: "Other.xcdatamodel/contents")
    try program.write("{}", to: "empty.json")
    let made = try program.run("seed", "Other.xcdatamodel", "empty.json", "--store", "Other.sqlite")
    #expect(made.status == 0, "\(made.errors)")
    for (option, file) in [
      ("--compare", "nothing.sqlite"), ("--compare", "seed.json"), ("--compare", "Other.sqlite"),
      ("--against", "nothing.mom"), ("--against", "seed.json"),
    ] {
      let outcome = try program.run("browse", "--no-open", "--port", "0", "Notes.sqlite", option, file)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(file), "\(outcome.errors)")
    }
  }

  @Test("perennial browse compares with another store and model, and leaves both unchanged")
  func comparesWith() throws {
    let program = try Program()
    try program.seed()
    let store = program.folder.appendingPathComponent("Notes.sqlite")
    let other = program.folder.appendingPathComponent("Other.sqlite")
    try FileManager.default.copyItem(at: store, to: other)
    try program.write("<model><entity name=\"Other\"/></model>", to: "Other.xcdatamodel/contents")
    let before = try Data(contentsOf: other)
    let outcome = try program.shell(
      """
      perennial browse Notes.sqlite --compare Other.sqlite --against Other.xcdatamodel --no-open --port 0 > address &
      server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      kill -INT $server; wait $server
      """
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Data(contentsOf: other) == before)
  }

  @Test(
    "perennial browse leaves no SQLite log files next to the stores, and keeps existing ones",
    arguments: [false, true]
  )
  func logFiles(wereThere: Bool) throws {
    let program = try Program()
    try program.seed()
    let logs = ["Notes.sqlite-wal", "Notes.sqlite-shm", "Other.sqlite-wal", "Other.sqlite-shm"]
    let outcome = try program.shell(
      """
      cp Notes.sqlite Other.sqlite
      \(wereThere ? "touch \(logs.joined(separator: " "))" : "true")
      perennial browse Notes.sqlite --compare Other.sqlite --no-open --port 0 > address & server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      kill -INT $server; wait $server
      """
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    for log in logs { #expect(program.exists(log) == wereThere, "\(log)") }
  }

  @Test("perennial browse --write serves a writable store, and writes only what a user edits")
  func writes() throws {
    let program = try Program()
    try program.seed()
    let before = try program.run(["dump", "Notes.sqlite"])
    let outcome = try program.shell(
      """
      perennial browse Notes.sqlite --write --no-open --port 0 > address & server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      kill -INT $server; wait $server
      """
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let after = try program.run(["dump", "Notes.sqlite"])
    #expect(after.status == 0 && after.output == before.output && !after.output.isEmpty, "\(after.errors)")
  }

  @Test(
    "perennial browse --write refuses a read-only store with the reason",
    .enabled(if: geteuid() != 0, "root may write everywhere")
  )
  func readOnlyFile() throws {
    let program = try Program()
    try program.seed()
    let path = program.folder.appendingPathComponent("Notes.sqlite").path
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let outcome = try program.run(["browse", "Notes.sqlite", "--write", "--no-open"])
    #expect(outcome.status == 1 && outcome.errors.contains("read-only"), "\(outcome.errors)")
  }

  @Test(
    "perennial browse --write refuses a store that cannot be written with the reason",
    arguments: ["nothing.sqlite", "seed.json", "Notes.xcdatamodeld"]
  )
  func refusesToWrite(store: String) throws {
    let outcome = try Program().run(["browse", store, "--write", "--no-open"])
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains(store), "\(outcome.errors)")
  }

  @Test("perennial browse on a port in use says so")
  func takenPort() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.shell(
      """
      perennial browse Notes.sqlite --no-open --port 0 > address & server=$!
      until grep -q http address; do kill -0 $server || exit 9; sleep 0.05; done
      port=$(sed -n 's/.*127.0.0.1:\\([0-9]*\\).*/\\1/p' address)
      perennial browse Notes.sqlite --no-open --port $port; status=$?
      kill -INT $server; wait $server; exit $status
      """
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("--port"), "\(outcome.errors)")
  }

  @Test("perennial browse accepts only valid port numbers", arguments: ["-1", "65536", "x"])
  func wrongPorts(port: String) throws {
    #expect(try Program().run(["browse", "Notes.sqlite", "--port", port]).status == 64)
  }
}
