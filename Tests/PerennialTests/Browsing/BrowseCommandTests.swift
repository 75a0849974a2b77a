import Foundation
import Testing

@Suite("perennial browse")
struct BrowseCommandTests {
  @Test("prints an address on this machine, and ends well when it is interrupted")
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

  @Test("leaves the store as it was")
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
    "of what is no store is a failure of one line",
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

  @Test("of what it is to compare with, and cannot, is a failure of one line that names it")
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

  @Test("compares with another store and another model, and leaves both as they were")
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
    "leaves no log files of SQLite next to the stores, and those that were there before stay",
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

  @Test("with --write serves a store that can be written, and leaves what nobody has edited")
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
    "with --write on a store that is read-only is refused with the reason",
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
    "with --write is refused with the reason for what cannot be written",
    arguments: ["nothing.sqlite", "seed.json", "Notes.xcdatamodeld"]
  )
  func refusesToWrite(store: String) throws {
    let outcome = try Program().run(["browse", store, "--write", "--no-open"])
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains(store), "\(outcome.errors)")
  }

  @Test("on a port that is taken says so")
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

  @Test("takes ports that there are", arguments: ["-1", "65536", "x"])
  func wrongPorts(port: String) throws {
    #expect(try Program().run(["browse", "Notes.sqlite", "--port", port]).status == 64)
  }
}
