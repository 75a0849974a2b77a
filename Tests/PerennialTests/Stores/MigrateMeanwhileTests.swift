import ArgumentParser
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import PerennialCommands

@Suite(
  "perennial migrate, of a store that another program migrates when it is about to begin",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct MigrateMeanwhileTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
    try write(
      #"<entity name="Note"><attribute name="title" attributeType="String"/>"#
        + #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/></entity>"#,
      to: "New"
    )
  }

  private func write(_ entities: String, to name: String) throws {
    try program.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
  }

  /// Writes the version to which the other program migrates the store, with an attribute that no other version has.
  private func writeThird(to name: String) throws {
    try write(
      #"<entity name="Note"><attribute name="title" attributeType="String"/>"#
        + #"<attribute name="mood" optional="YES" attributeType="String"/></entity>"#,
      to: name
    )
  }

  /// Runs the command in this process, and migrates the store from another program after the command has inspected the store
  /// and before it locks it.
  private func migrate(_ options: [String] = [], meanwhileTo model: String) throws {
    let program = program
    let isFirst = Mutex(true)
    let registration = StoreObservers.add(
      StoreObserver(
        hearsMigrations: true,
        migrating: { step, _ in
          guard step.contains("by statements"), isFirst.withLock({ $0 }) else { return }
          isFirst.withLock { $0 = false }
          let outcome = Result {
            try program.run(["migrate", "Notes.sqlite", "--to", "\(model).xcdatamodel"] + Program.dropping)
          }
          #expect((try? outcome.get())?.status == 0, "\(outcome)")
        }
      ),
      in: program.folder.lastPathComponent
    )
    defer {
      StoreObservers.remove(registration)
      #expect(isFirst.withLock { !$0 })
    }
    let paths = ["Notes.sqlite", "New.xcdatamodel"].map { program.folder.appendingPathComponent($0).path }
    try MigrateCommand.parse([paths[0], "--to", paths[1]] + Program.dropping + options).run()
  }

  private func count(_ store: String, _ model: String) throws -> Int {
    let outcome = try program.run(
      "fetch",
      store,
      "Note",
      "--model",
      "\(model).xcdatamodel",
      "--format",
      "csv"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").count - 1
  }

  @Test("perennial migrate succeeds if another program has migrated the store to the same version")
  func sameVersion() throws {
    try migrate(meanwhileTo: "New")
    #expect(try count("Notes.sqlite", "New") == 36)
  }

  @Test("perennial migrate starts again if another program has migrated the store to a third version")
  func thirdVersion() throws {
    try writeThird(to: "Third")
    try migrate(meanwhileTo: "Third")
    #expect(try count("Notes.sqlite", "New") == 36)
  }

  @Test("the backup of perennial migrate contains the store as it was last inspected")
  func backup() throws {
    try writeThird(to: "Third")
    try migrate(["--backup"], meanwhileTo: "Third")
    #expect(try count("Notes.sqlite", "New") == 36)
    #expect(try count("Notes.sqlite.backup", "Third") == 36)
  }

  @Test("perennial migrate loses nothing of a version that only the other program has")
  func unknownVersion() throws {
    try writeThird(to: "elsewhere/Third")
    let error = #expect(throws: CommandFailure.self) {
      try migrate(["--backup"], meanwhileTo: "elsewhere/Third")
    }
    #expect(error?.description.contains("Note.mood") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("--allow-downgrade") == true)
    #expect(try count("Notes.sqlite", "elsewhere/Third") == 36)
    #expect(!program.exists("Notes.sqlite.backup"))
  }
}
