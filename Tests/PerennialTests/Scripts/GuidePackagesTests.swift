import Foundation
import Testing

/// The part of `Scripts/checks/guide-packages` that extracts packages from guides, in a repository of its own.
@Suite("The packages of guides")
struct GuidePackagesTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/checks/guide-packages")

  private let program: Program

  init() throws {
    program = try Program()
    try program.write(String(contentsOf: Self.script, encoding: .utf8), to: "Scripts/checks/guide-packages")
  }

  /// Extracts the packages from a guide with a text.
  private func extract(_ guide: String) throws -> Program.Outcome {
    try program.write(guide, to: "Documentation/Guide.md")
    return try program.shell(
      "python3 Scripts/checks/guide-packages --extract out Documentation/Guide.md 2>&1"
    )
  }

  private static let manifest = """
    ```swift Package.swift
    // swift-tools-version: 6.1
    dependencies: [.package(url: "https://example.com/perennial", branch: "main", traits: ["Plugin"])]
    ```

    """

  @Test(
    "A guide's named blocks become a package that depends on the checkout with the traits of the examples"
  )
  func package() throws {
    let outcome = try extract("```swift Sources/A/A.swift\nlet a = 1\n```\n\n\(Self.manifest)")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Guide-1: Sources/A/A.swift, Package.swift"))
    #expect(try program.shell("cat out/Guide-1/Sources/A/A.swift").output == "let a = 1\n")
    let manifest = try program.shell("cat out/Guide-1/Package.swift").output
    #expect(manifest.contains(#".package(name: "perennial", path: "/"#))
    #expect(manifest.contains(#"traits: ["Plugin", "Server"]"#))
  }

  @Test("A package that loses a file in its guide loses it in its folder too")
  func removed() throws {
    _ = try extract("\(Self.manifest)```swift A.swift\n```\n\n```swift B.swift\n```\n")
    let outcome = try extract("\(Self.manifest)```swift A.swift\n```\n")
    #expect(outcome.status == 0)
    #expect(try program.shell("ls out/Guide-1").output == "A.swift\nPackage.swift\n")
  }

  @Test(
    "A package that cannot be built as it stands is an error with its place",
    arguments: [
      (manifest, "Documentation/Guide.md:1: this package has nothing but its manifest"),
      (
        manifest + "```swift ../A.swift\n```\n",
        "Documentation/Guide.md:5: ../A.swift is not inside the package"
      ),
      (manifest + "```swift A.swift\nlet a = 1\n", "Documentation/Guide.md:5: this code does not end"),
      ("```swift Package.swift\n```\n\n```swift A.swift\n```\n", "has no line // swift-tools-version first"),
      ("no code", "no guide has a package"),
    ]
  )
  func errors(guide: String, message: String) throws {
    let outcome = try extract(guide)
    #expect(outcome.status != 0)
    #expect(outcome.output.contains(message), "\(outcome.output)")
  }
}
