import Foundation
import TestSupport
import Testing

@testable import PerennialCommands

@Suite("perennial add-version")
struct AddVersionCommandTests {
  private let folder: TestFolder
  private var package: String { folder.url.appendingPathComponent("Notes.xcdatamodeld").path }

  init() throws {
    folder = try TestFolder()
    try folder.write("Notes.xcdatamodeld/Notes.xcdatamodel/contents", GuardedRepository.notes)
  }

  private func run(_ options: String...) -> (status: Int32, message: String) {
    Perennial.run(["add-version", package] + options)
  }

  private func snapshot() throws -> PackageSnapshot { try PackageSnapshot(onDisk: package) }

  @Test("a version is a copy of the current one, is called after the package, and becomes current")
  func added() throws {
    #expect(run().status == 0)
    var found = try snapshot()
    #expect(found.versions.map(\.name) == ["Notes", "Notes 2"] && found.currentName == "Notes 2")
    #expect(found.versions[1].contents == Data(GuardedRepository.notes.utf8))
    #expect(run().status == 0)
    found = try snapshot()
    #expect(found.versions.map(\.name) == ["Notes", "Notes 2", "Notes 3"] && found.currentName == "Notes 3")
  }

  @Test("the guard passes a version that was added")
  func guarded() throws {
    let before = folder.url.appendingPathComponent("before/Notes.xcdatamodeld")
    try FileManager.default.createDirectory(
      at: before.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(atPath: package, toPath: before.path)
    #expect(run().status == 0)
    let report = try ModelGuard(model: package, reference: before.path, trialCount: nil).judge().report
    #expect(report.verdict == .passed && report.findings.map(\.code) == [.sameHashes], "\(report.text)")
  }

  @Test("the new version continues the highest number of the versions")
  func names() throws {
    #expect(run("Notes 9").status == 0)
    #expect(run().status == 0)
    #expect(try snapshot().currentName == "Notes 10")
  }

  @Test("--keep-current leaves the current version current and names it explicitly")
  func keepCurrent() throws {
    #expect(run("Draft", "--keep-current").status == 0)
    let found = try snapshot()
    #expect(found.current == .named("Notes") && found.versions.count == 2)
  }

  @Test("--from names another version to copy")
  func from() throws {
    #expect(run().status == 0)
    try folder.write("Notes.xcdatamodeld/Notes 2.xcdatamodel/contents", GuardedRepository.model(""))
    #expect(run("--from", "Notes").status == 0)
    #expect(try snapshot().currentVersion?.contents == Data(GuardedRepository.notes.utf8))
  }

  @Test(
    "a name that is taken, is empty or leads elsewhere is refused, and nothing is written",
    arguments: ["Notes", "notes", "", "../Other", ".hidden", "New.xcdatamodel"]
  )
  func refused(name: String) throws {
    let outcome = run(name)
    #expect(outcome.status == 1 && outcome.message.contains("; give another name"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: package) == ["Notes.xcdatamodel"])
  }

  @Test("a version that is not there, or cannot be read, is not copied")
  func unreadable() throws {
    #expect(run("--from", "Gone").message.contains("there is no version Gone"))
    try folder.write("Notes.xcdatamodeld/Notes.xcdatamodel/contents", "<model")
    #expect(run().status == 1)
    #expect(try snapshot().versions.count == 1)
  }
}
