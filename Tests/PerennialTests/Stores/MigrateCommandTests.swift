import Foundation
import SQLiteDriver
import Testing

@Suite("perennial migrate", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct MigrateCommandTests {
  private static let newer = """
    <entity name="Item" elementID="Note"><attribute name="title" attributeType="String"/>
    <attribute name="rank" attributeType="Integer 16" defaultValueString="5"/></entity>
    """

  private func program() throws -> Program {
    let program = try Program()
    try program.seed()
    try write(Self.newer, to: "New", in: program)
    return program
  }

  private func write(_ entities: String, to name: String, in program: Program) throws {
    let folder = program.folder.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
  }

  private func count(_ program: Program, _ store: String, _ entity: String, _ model: String) throws -> Int {
    let outcome = try program.run("fetch", store, entity, "--model", model, "--format", "csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").count - 1
  }

  private func store(_ program: Program, _ name: String = "Notes.sqlite") throws -> Data {
    try Data(contentsOf: program.folder.appendingPathComponent(name))
  }

  @Test("perennial migrate names the changes, migrates the store, and keeps a backup on request")
  func migrate() throws {
    let program = try program()
    let outcome = try program.run(
      ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel", "--backup"] + Program.dropping
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("entity Item: renamed from Note; adds rank; removes "))
    #expect(outcome.output.contains("entity Category: removed, with its objects\n"))
    #expect(
      outcome.output.hasSuffix("Notes.sqlite is kept in Notes.sqlite.backup\nNotes.sqlite is migrated\n")
    )
    #expect(try count(program, "Notes.sqlite", "Item", "New.xcdatamodel") == 36)
    #expect(try count(program, "Notes.sqlite.backup", "Note", "Notes.xcdatamodeld") == 36)
    let files = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(!files.contains { $0.hasPrefix(".") })
    let again = try program.run("migrate", "Notes.sqlite", "--to", "New.xcdatamodel")
    #expect(again.output == "Notes.sqlite has this version of the model already\n")
  }

  @Test("--dry-run tries it and changes nothing")
  func dryRun() throws {
    let program = try program()
    let before = try store(program)
    let outcome = try program.run(
      ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel", "--dry-run"] + Program.dropping
    )
    #expect(outcome.output.hasSuffix("Notes.sqlite can be migrated\n"), "\(outcome.errors)")
    #expect(try store(program) == before)
    try write(
      Self.newer.replacingOccurrences(of: #" defaultValueString="5""#, with: ""),
      to: "Strict",
      in: program
    )
    let strict = try program.run(
      ["migrate", "Notes.sqlite", "--to", "Strict.xcdatamodel", "--dry-run"] + Program.dropping
    )
    #expect(strict.status == 1)
    #expect(strict.errorLines.count == 1)
    #expect(strict.errors.contains("Item.rank"))
    #expect(try store(program) == before)
  }

  @Test("an impossible migration ends with 1, one line, and an unchanged store")
  func failures() throws {
    let program = try program()
    try write(
      #"<entity name="Note"><attribute name="title" attributeType="Date" optional="YES"/></entity>"#,
      to: "Other",
      in: program
    )
    let before = try store(program)
    for (arguments, words) in [
      (["migrate", "Notes.sqlite", "--to", "Other.xcdatamodel"], "title"),
      (["migrate", "Notes.sqlite", "--to", "None.xcdatamodel"], "None.xcdatamodel"),
      (["migrate", "None.sqlite", "--to", "New.xcdatamodel"], "None.sqlite"),
      (
        ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel", "--from", "Other.xcdatamodel"],
        "Other.xcdatamodel"
      ),
      (["migrate", "Notes.sqlite", "--to", "New.xcdatamodel", "--mapping", "None.cdm"], "None.cdm"),
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(try store(program) == before)
  }

  @Test("perennial migrate loses no changes that others commit before or after", arguments: [1, 2, 3])
  func concurrent(_ round: Int) throws {
    let program = try program()
    let file = program.folder.appendingPathComponent("Notes.sqlite")
    var configuration = SQLiteConfiguration()
    configuration.busyMode = .timeout(60)
    let writer = try SQLiteConnection(path: file.path, configuration: configuration)
    var acknowledged = 0
    func write() {
      let isKept = try? writer.write { database in
        try database.execute(
          sql: "UPDATE ZNOTE SET ZTITLE = ? WHERE Z_PK = 1",
          arguments: ["\(acknowledged + 1)"]
        )
        return database.changesCount == 1
      }
      if isKept == true { acknowledged += 1 }
    }
    write()
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["migrate", file.path, "--to", "New.xcdatamodel"] + Program.dropping
    process.currentDirectoryURL = program.folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    while process.isRunning { write() }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    write()
    try writer.close()
    let reader = try SQLiteConnection(path: file.path)
    let title = try reader.read { database in
      let table = try database.tableExists("ZITEM") ? "ZITEM" : "ZNOTE"
      return try String.fetchOne(database, sql: "SELECT ZTITLE FROM \(table) WHERE Z_PK = 1")
    }
    #expect(acknowledged > 0 && title == "\(acknowledged)")
  }
}
