import Foundation
import Testing

/// `Scripts/release`, in a repository of its own whose version is 0.2.0.
@Suite("The preparation of a release")
struct ReleaseTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let changelog = """
    # Changelog

    ## 0.2.0, 2026-11-27

    * The second. See the [guide](Documentation/Guide.md) and the [site](https://example.com/).

    ## 0.1.0, 2026-01-02

    * The first.
    """

  private static let plugin = "PrebuiltCoreDataModelPlugin"

  private let program: Program

  init() throws {
    program = try Program()
    for path in [
      "Scripts/release", "Scripts/support/help", "Scripts/releasing/archive", "Scripts/releasing/artifact",
      "Plugins/CoreDataModelPlugin/CoreDataModelPlugin.swift", "LICENSE",
    ] {
      let text = try String(contentsOf: Self.project.appendingPathComponent(path), encoding: .utf8)
      try program.write(text, to: "repository/\(path)")
    }
    try write(".build/\n", to: ".gitignore")
    try write(Self.changelog, to: "CHANGELOG.md")
    try writeVersion("0.2.0")
    #expect(try shell("chmod +x Scripts/release Scripts/*/*; git init --quiet").status == 0)
    try commit()
  }

  private func shell(_ line: String) throws -> Program.Outcome {
    try program.shell("cd repository && \(line)")
  }

  private func write(_ text: String, to path: String) throws {
    try program.write(text, to: "repository/\(path)")
  }

  private func writeVersion(_ version: String) throws {
    let line = "  public static let current = \"\(version)\"\n"
    try write(line, to: "Sources/PerennialCommands/PerennialVersion.swift")
  }

  private func commit() throws {
    let author = "git -c user.name=nobody -c user.email=nobody@example.com"
    let outcome = try shell("git add --all && \(author) commit --quiet --allow-empty --message change")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func expectRefusal(
    _ arguments: String,
    _ reason: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try shell("Scripts/release \(arguments)")
    #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)", sourceLocation: location)
  }

  @Test("Scripts/release without a version prints its usage")
  func usage() throws {
    let outcome = try shell("Scripts/release")
    #expect(outcome.status == 64)
    #expect(outcome.output.contains("Scripts/release VERSION"))
  }

  @Test("the notes of a version are its part of the changelog")
  func notes() throws {
    #expect(try shell("Scripts/release --notes 0.1.0").output == "* The first.\n")
    let notes = try shell("Scripts/release --notes 0.2.0").output
    #expect(notes.hasPrefix("* The second. See the [guide](Documentation/Guide.md)"))
    #expect(!notes.contains("The first."))
  }

  @Test("links in the release notes lead to the files of the version if the repository is known")
  func links() throws {
    let notes = try shell("REPOSITORY=https://example.com/perennial Scripts/release --notes 0.2.0").output
    #expect(notes.contains("[guide](https://example.com/perennial/blob/0.2.0/Documentation/Guide.md)"))
    #expect(notes.contains("[site](https://example.com/)"))
  }

  @Test("a version has to be semantic", arguments: ["1.2", "v0.2.0", "0.2.0.1", "01.2.0", "0.2.0-", "next"])
  func semantic(version: String) throws {
    try expectRefusal(version, "is not a semantic version")
  }

  @Test("a version has to be the first heading of the changelog")
  func heading() throws {
    try expectRefusal("0.3.0", "CHANGELOG.md has no heading \"## 0.3.0, YEAR-MONTH-DAY\"")
    try expectRefusal("0.1.0", "0.1.0 is not the first heading of CHANGELOG.md")
  }

  @Test("a working tree with changes is refused")
  func changes() throws {
    try write("", to: "new")
    try expectRefusal("0.2.0", "the working tree has changes")
  }

  @Test("the sources have to have the version")
  func stated() throws {
    try writeVersion("0.2.0-dev")
    try commit()
    try expectRefusal("0.2.0", "has the version 0.2.0-dev, not 0.2.0")
  }

  @Test("a version that another commit has as its tag is refused")
  func tagged() throws {
    #expect(try shell("git tag 0.2.0").status == 0)
    try commit()
    try expectRefusal("0.2.0", "another commit has the tag 0.2.0")
  }

  /// Makes the files that `Scripts/release` leaves on a machine of an architecture.
  private func build(on architecture: String) throws {
    let folder = "built/\(architecture)"
    let tool = "\(folder)/\(Self.plugin)/ModelCompilerTool.artifactbundle/\(architecture)-unknown-linux-gnu"
    try program.write("the tool of \(architecture)", to: "\(tool)/ModelCompilerTool")
    try program.write("the command of \(architecture)", to: "command/perennial")
    let outcome = try shell(
      """
      VERSION=0.2.0 Scripts/releasing/artifact --pack ../\(folder) && cd ../\(folder) && rm -r \(Self.plugin) &&
        mv \(Self.plugin).tar.gz \(Self.plugin)-0.2.0.tar.gz &&
        ../../repository/Scripts/releasing/archive ../../command perennial-0.2.0-linux-\(architecture).tar.gz &&
        sha256sum *.tar.gz >SHA256SUMS
      """
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("what two machines have built becomes one release, with the tools of both in one package")
  func join() throws {
    try build(on: "x86_64")
    try build(on: "aarch64")
    let outcome = try shell("Scripts/release 0.2.0 --join ../built")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let files = try shell("cd .build/release-0.2.0 && sha256sum --check --quiet SHA256SUMS && ls").output
    let expected = [
      "NOTES.md", "\(Self.plugin)-0.2.0.tar.gz", "SHA256SUMS", "perennial-0.2.0-linux-aarch64.tar.gz",
      "perennial-0.2.0-linux-x86_64.tar.gz",
    ]
    #expect(files.split(separator: "\n").map(String.init).sorted() == expected)
    let info = try shell(
      "tar -xzOf .build/release-0.2.0/\(Self.plugin)-0.2.0.tar.gz --wildcards '*/info.json'"
    ).output
    for architecture in ["x86_64", "aarch64"] {
      #expect(info.contains("\"supportedTriples\": [\"\(architecture)-unknown-linux-gnu\"]"))
    }
    #expect(info.contains("\"version\": \"0.2.0\""))
  }

  @Test("an archive that differs from the built one is refused")
  func damage() throws {
    try build(on: "x86_64")
    try program.write("another", to: "built/x86_64/perennial-0.2.0-linux-x86_64.tar.gz")
    try expectRefusal("0.2.0 --join ../built", "is not what another machine has built")
  }
}
