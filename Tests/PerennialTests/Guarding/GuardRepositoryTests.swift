import Foundation
import TestSupport
import Testing

@testable import PerennialCommands

@Suite(
  "perennial guard and commits",
  .enabled(if: GuardedRepository.isAvailable, "\(GuardedRepository.reason)")
)
struct GuardRepositoryTests {
  private let repository: GuardedRepository

  init() throws { repository = try GuardedRepository() }

  private func doubt(_ work: () throws -> Void) -> GuardDoubt? {
    do {
      try work()
      return nil
    } catch {
      return error as? GuardDoubt
    }
  }

  @Test("a model that is as it was is passed without a word")
  func unchanged() throws {
    let report = try repository.judge()
    #expect(report.verdict == .passed && report.findings.isEmpty, "\(report.text)")
    #expect(report.current == "Notes")
  }

  @Test("an edited released version is refused at the line of the change, with the command that restores it")
  func edited() throws {
    let edited = GuardedRepository.notes.replacing("Integer 32", with: "Integer 64")
    try repository.write(GuardedRepository.contents(version: "Notes"), edited)
    let report = try repository.judge()
    let finding = try #require(report.findings.first)
    #expect(report.verdict == .refused && report.findings.count == 1, "\(report.text)")
    #expect(finding.code == .changedVersion && finding.line == 4)
    #expect(finding.file.hasSuffix("Notes.xcdatamodeld/Notes.xcdatamodel/contents"))
    #expect(
      finding.remedy.contains("git checkout main -- ':/\(GuardedRepository.contents(version: "Notes"))'")
    )
    #expect(finding.remedy.contains("perennial add-version"))
    // git accepts the command of the remedy.
    try repository.git(
      "checkout",
      "--quiet",
      "main",
      "--",
      ":/\(GuardedRepository.contents(version: "Notes"))"
    )
    #expect(try repository.judge().verdict == .passed)
  }

  @Test("the commit is read by git, and nothing of the working folder changes")
  func untouched() throws {
    try repository.addVersion("Notes 2", #"<attribute name="title" optional="YES" attributeType="String"/>"#)
    try repository.commit("Add a version")
    let before = try repository.git("status", "--porcelain", "--ignored").output
    _ = try repository.judge(against: "HEAD~1", trials: 2)
    #expect(try repository.git("status", "--porcelain", "--ignored").output == before && before.isEmpty)
  }

  @Test(
    "a branch, a tag and an abbreviated hash identify a commit",
    arguments: ["main", "1.0", "HEAD"]
  )
  func references(reference: String) throws {
    try repository.git("tag", "1.0")
    #expect(try repository.judge(against: reference).verdict == .passed)
    let commit = try repository.git("rev-parse", "HEAD").output
    #expect(try repository.judge(against: String(commit.prefix(12))).verdict == .passed)
  }

  @Test("a missing revision is reported with what to check")
  func unknownReference() throws {
    let doubt = try #require(doubt { _ = try repository.judge(against: "origin/nowhere") })
    #expect(doubt.problem.contains("there is no commit, branch or tag origin/nowhere"))
    #expect(doubt.remedy.contains("git fetch origin nowhere"))
    // An option of git is not accepted as a revision.
    #expect(self.doubt { _ = try repository.judge(against: "--all") } != nil)
  }

  @Test("a revision that a shallow clone lacks is distinguished from one that does not exist")
  func shallow() throws {
    try repository.git("tag", "1.0")
    try repository.write("README", "A larger garden.\n")
    try repository.commit("Go on")
    let clone = try GuardedRepository(cloning: repository, depth: 1)
    let doubt = try #require(doubt { _ = try clone.judge(against: "HEAD~1") })
    #expect(doubt.problem.contains("this clone is shallow"))
    #expect(doubt.remedy.contains("git fetch --depth=1 origin") && doubt.remedy.contains("fetch-depth: 0"))
    #expect(try clone.judge(against: "HEAD").verdict == .passed)
  }

  @Test("a model that is in no repository can be compared with a folder, and not with a revision")
  func withoutRepository() throws {
    let folder = try TestFolder()
    try folder.write("Notes.xcdatamodeld/Notes.xcdatamodel/contents", GuardedRepository.notes)
    let model = folder.url.appendingPathComponent("Notes.xcdatamodeld").path
    let doubt = try #require(doubt { _ = try ModelGuard(model: model, reference: "main").judge() })
    #expect(doubt.problem.contains("is in no git repository") && doubt.remedy.contains("--against"))
    let report = try ModelGuard(model: model, reference: model).judge().report
    #expect(report.verdict == .passed)
  }

  @Test("a model that was not there before is new, and passed")
  func new() throws {
    let other = "Sources/Other.xcdatamodeld"
    try repository.write("\(other)/Other.xcdatamodel/contents", GuardedRepository.notes)
    let path = repository.top.appendingPathComponent(other).path
    let report = try ModelGuard(model: path, reference: "main").judge().report
    #expect(report.verdict == .passed)
    #expect(report.findings.map(\.code) == [.newModel])
  }

  @Test("a renamed package is compared with its former path")
  func renamedPackage() throws {
    let moved = "Sources/Journal.xcdatamodeld"
    try FileManager.default.moveItem(
      atPath: repository.path,
      toPath: repository.top.appendingPathComponent(moved).path
    )
    let path = repository.top.appendingPathComponent(moved).path
    let report = try ModelGuard(model: path, reference: "main").judge().report
    #expect(report.findings.map(\.code) == [.renamedPackage], "\(report.text)")
    #expect(report.findings.first?.problem.contains(GuardedRepository.model) == true)
    // A version that is lost during the rename is still reported.
    try repository.write("\(moved)/Journal.xcdatamodel/contents", GuardedRepository.notes)
    try repository.write("\(moved)/.xccurrentversion", GuardedRepository.current("Journal"))
    try repository.remove("\(moved)/Notes.xcdatamodel")
    #expect(try ModelGuard(model: path, reference: "main").judge().report.verdict == .refused)
  }

  @Test("a folder may be the older package, or a checkout that has it at the same place")
  func folders() throws {
    let checkout = repository.folder.url.appendingPathComponent("checkout")
    try FileManager.default.copyItem(at: repository.top, to: checkout)
    let edited = GuardedRepository.notes.replacing("Integer 32", with: "Integer 64")
    try repository.write(GuardedRepository.contents(version: "Notes"), edited)
    for folder in [checkout, checkout.appendingPathComponent(GuardedRepository.model)] {
      let report = try repository.judge(against: folder.path)
      #expect(report.verdict == .refused && report.findings.first?.code == .changedVersion, "\(report.text)")
      #expect(report.findings.first?.remedy.contains("restore the file from") == true)
    }
  }

  @Test("without a revision to compare with, the guard's report says so and judges the package alone")
  func notCompared() throws {
    let report = try repository.judge(against: nil)
    #expect(report.findings.map(\.code) == [.notCompared] && report.verdict == .passed)
    try repository.write("\(GuardedRepository.model)/.xccurrentversion", GuardedRepository.current("Notes 7"))
    #expect(try repository.judge(against: nil).verdict == .refused)
  }

  @Test("versions whose names have other letters than ASCII are found in commits")
  func otherLetters() throws {
    try repository.addVersion(
      "Notizen ä→ö 2",
      #"<attribute name="title" optional="YES" attributeType="String"/>"#
    )
    try repository.commit("Add a version")
    try repository.remove("\(GuardedRepository.model)/Notizen ä→ö 2.xcdatamodel")
    try repository.write("\(GuardedRepository.model)/.xccurrentversion", GuardedRepository.current("Notes"))
    let report = try repository.judge()
    #expect(report.findings.contains { $0.code == .deletedVersion && $0.subject == "version Notizen ä→ö 2" })
  }
}
