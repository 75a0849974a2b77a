import Foundation
import Testing

@testable import PerennialCommands

@Suite("The version")
struct VersionTests {
  /// The first heading below the changelog's title, without its marks.
  private func heading() throws -> String {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("CHANGELOG.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let heading = try #require(lines.first { $0.hasPrefix("## ") })
    return String(heading.dropFirst(3))
  }

  @Test("the version is semantic: three numbers, and a pre-release identifier after a hyphen")
  func semantic() {
    let number = "(0|[1-9][0-9]*)"
    #expect(
      PerennialVersion.current.range(
        of: "^\(number)\\.\(number)\\.\(number)(-[0-9a-z]+(\\.[0-9a-z]+)*)?$",
        options: .regularExpression
      ) != nil
    )
  }

  @Test("the changelog's first heading names it: as unreleased, or with the day of the release")
  func changelog() throws {
    let heading = try heading()
    let version = PerennialVersion.current
    if PerennialVersion.isUnreleased {
      #expect(version.hasSuffix("-dev"))
      #expect(heading == "Unreleased: \(version.dropLast("-dev".count))")
    } else {
      let pattern = "^\(NSRegularExpression.escapedPattern(for: version)), 20[0-9]{2}-[0-9]{2}-[0-9]{2}$"
      #expect(heading.range(of: pattern, options: .regularExpression) != nil, "\(heading)")
    }
  }

  @Test(
    "perennial --version prints it alone",
    .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
  )
  func option() throws {
    let outcome = try Program().run("--version")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "\(PerennialVersion.current)\n")
  }
}
