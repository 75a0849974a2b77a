import Foundation
import Testing

/// `Scripts/releasing/api-changes`, in a repository of its own and with a fake `swift` that compares nothing.
@Suite("The comparison of public names")
struct APIChangesTests {
  private static let scripts = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts")

  private let program: Program

  init() throws {
    program = try Program()
    for name in ["releasing/api-changes", "support/swift"] {
      let script = try String(contentsOf: Self.scripts.appendingPathComponent(name), encoding: .utf8)
      try program.write(script, to: "Scripts/\(name)")
    }
    try program.write("#!/bin/sh\necho \"$@\"\nexit 1\n", to: "bin/swift")
    #expect(try program.shell("chmod +x bin/swift Scripts/*/*; git init --quiet").status == 0)
    try commit()
  }

  private func commit() throws {
    let author = "git -c user.name=nobody -c user.email=nobody@example.com"
    #expect(try program.shell("\(author) commit --quiet --allow-empty --message change").status == 0)
  }

  private func tag(_ name: String) throws {
    #expect(try program.shell("git tag \(name)").status == 0)
  }

  private func compare() throws -> Program.Outcome {
    try program.shell("PATH=\"$PWD/bin:$PATH\" Scripts/releasing/api-changes")
  }

  @Test("without a tagged version, the comparison of public names says so and succeeds")
  func noVersion() throws {
    try tag("experiment")
    let outcome = try compare()
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("No version is tagged yet"))
  }

  @Test("the previous version is the highest tagged one, and a breaking change is a failure")
  func lastVersion() throws {
    try tag("0.9.0")
    try commit()
    try tag("0.10.0")
    try commit()
    let outcome = try compare()
    #expect(outcome.status == 1)
    #expect(outcome.output.hasSuffix("diagnose-api-breaking-changes 0.10.0\n"))
  }

  @Test("a tagged version is compared with the version before it")
  func taggedHere() throws {
    try tag("1.0.0")
    try commit()
    try tag("1.1.0")
    #expect(try compare().output.hasSuffix("diagnose-api-breaking-changes 1.0.0\n"))
  }

  @Test("intended breaking changes are left out of the comparison by the file that lists them")
  func meant() throws {
    try tag("1.0.0")
    try commit()
    let list = "Scripts/releasing/api-changes-meant.txt"
    try program.write("API breakage: func note() has been removed\n", to: list)
    let options = "1.0.0 --breakage-allowlist-path \(list)\n"
    #expect(try compare().output.hasSuffix(options))
  }
}
