import Foundation
import TestSupport
import Testing

@testable import PerennialCommands

@Suite(
  "perennial guard and the migrations of versions",
  .enabled(if: GuardedRepository.isAvailable, "\(GuardedRepository.reason)")
)
struct GuardMigrationTests {
  private static let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
  private static let stars = #"<attribute name="stars" attributeType="Integer 32" defaultValueString="0"/>"#

  private let repository: GuardedRepository

  init() throws { repository = try GuardedRepository() }

  @Test("a new version is tried with generated data, and its stores keep their contents")
  func tried() throws {
    try repository.addVersion(
      "Notes 2",
      "\(Self.title)\n\(Self.stars)\n" + #"<attribute name="text" optional="YES" attributeType="String"/>"#
    )
    let report = try repository.judge(trials: 12)
    #expect(report.verdict == .passed && report.findings.isEmpty, "\(report.text)")
    let way = try #require(report.ways.first { $0.version == "Notes" })
    #expect(way.words == "Notes -> Notes 2 (inferred)" && way.trial == "tried with 12 objects")
  }

  @Test("a renaming identifier keeps an attribute, and without one the rename is suspected at its line")
  func renamed() throws {
    let renamed = #"<attribute name="titleText" optional="YES" attributeType="String"/>"#
    try repository.addVersion("Notes 2", "\(Self.stars)\n\(renamed)")
    let report = try repository.judge(trials: 4)
    let finding = try #require(report.findings.first { $0.code == .possibleRename })
    #expect(finding.line == 4 && finding.remedy.contains(#"elementID="title""#), "\(report.text)")
    #expect(
      report.findings.contains { $0.code == .loss && $0.problem == "stores lose the values of Note.title" }
    )

    let identified = renamed.replacing("optional", with: #"elementID="title" optional"#)
    try repository.addVersion("Notes 2", "\(Self.stars)\n\(identified)")
    #expect(try repository.judge(trials: 4).findings.isEmpty)
  }

  @Test("a required attribute without a default value is refused at its line")
  func required() throws {
    let required = #"<attribute name="kind" attributeType="String"/>"#
    try repository.addVersion("Notes 2", "\(Self.title)\n\(Self.stars)\n\(required)")
    let report = try repository.judge(trials: 4)
    let finding = try #require(report.findings.first)
    #expect(
      finding.code == .requiredWithoutDefault && finding.line == 5 && report.verdict == .refused,
      "\(report.text)"
    )
  }

  @Test(
    "a change of type that no mapping can be inferred for is refused, unless the program migrates by code of its own"
  )
  func blocked() throws {
    let date = #"<attribute name="title" optional="YES" attributeType="Date" usesScalarValueType="NO"/>"#
    try repository.addVersion("Notes 2", "\(date)\n\(Self.stars)")
    let report = try repository.judge(trials: 4)
    let finding = try #require(report.findings.first)
    #expect(finding.code == .noMigration && finding.line == 3 && report.verdict == .refused, "\(report.text)")
    #expect(finding.remedy.contains("--in-code 'Notes'"))

    let accepted = try repository.judge(trials: 4, inCode: ["Notes"])
    #expect(accepted.verdict == .passed, "\(accepted.text)")
    #expect(accepted.ways.first?.words.contains("was not tried") == true)
  }

  @Test("versions that only stages lead on from are passed, with the stages")
  func stages() throws {
    // The attribute is removed, and the next version adds one with the same name and another type.
    try repository.addVersion("Notes 2", Self.stars)
    try repository.commit("Drop the title")
    let date = #"<attribute name="title" optional="YES" attributeType="Date" usesScalarValueType="NO"/>"#
    try repository.addVersion("Notes 3", "\(date)\n\(Self.stars)")
    let report = try repository.judge(trials: 4)
    #expect(report.verdict == .passed, "\(report.text)")
    let way = try #require(report.ways.first { $0.version == "Notes" })
    #expect(way.words == "Notes -> Notes 2 (inferred), Notes 2 -> Notes 3 (inferred)")
    #expect(report.findings.contains { $0.code == .stages && $0.remedy.contains("NSStagedMigrationManager") })
  }

  @Test("a flaw of released versions is only a warning, because these must not be changed")
  func before() throws {
    let required = #"<attribute name="kind" attributeType="String"/>"#
    try repository.addVersion("Notes 2", "\(Self.title)\n\(Self.stars)\n\(required)")
    try repository.commit("Add a version with a mistake")
    let report = try repository.judge(trials: 4)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.findings.contains { $0.code == .requiredWithoutDefault && $0.severity == .warning })
  }

  @Test("a migration that changes values is detected by comparing the store's contents")
  func contents() throws {
    let same = StoreContents(objects: ["Note": ["a", "b"]])
    #expect(StoreContents(objects: ["Note": ["a", "b"]]).differences(from: same).isEmpty)
    let changed = StoreContents(objects: ["Note": ["a", "c"]]).differences(from: same)
    #expect(changed.map(\.words) == ["of 2 objects 1 have other values or destinations"])
    let fewer = StoreContents(objects: ["Note": ["a"]]).differences(from: same)
    #expect(fewer.map(\.words) == ["2 objects became 1"])
    #expect(StoreContents(objects: [:]).differences(from: same).map(\.words) == ["2 objects became 0"])
  }

  @Test("30 versions are judged without trials, and each has its way")
  func many() throws {
    for number in 2...30 {
      let added = (2...number).map {
        #"<attribute name="added\#($0)" optional="YES" attributeType="String"/>"#
      }
      try repository.addVersion(
        "Notes \(number)",
        "\(Self.title)\n\(Self.stars)\n" + added.joined(separator: "\n")
      )
      if number == 29 { try repository.commit("Add versions") }
    }
    let report = try repository.judge()
    #expect(report.verdict == .passed && report.findings.isEmpty, "\(report.text)")
    #expect(
      report.ways.count == 30 && report.ways.count { $0.words.hasSuffix("-> Notes 30 (inferred)") } == 29
    )
  }
}
