import Foundation
import Testing
import Yams

/// The files in `Documentation/CI.md` are valid, agree across the services, and contain the commands that
/// `Scripts/checks/examples` runs on packages like the guide's.
@Suite("The guide to CI")
struct CIGuideTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
  }

  /// The configuration file of a service, as the guide shows it.
  private struct ServiceFile {
    let name: String
    let text: String

    /// All string values.
    func values() throws -> [String] { Self.values(of: try #require(try Yams.compose(yaml: text))) }

    private static func values(of node: Node) -> [String] {
      switch node {
      case .scalar(let scalar): [scalar.string]
      case .sequence(let sequence): sequence.flatMap(values)
      case .mapping(let mapping): mapping.flatMap { _, value in values(of: value) }
      case .alias: []
      }
    }
  }

  private static func files() throws -> [ServiceFile] {
    let blocks = try text("Documentation/CI.md").split(separator: "```yaml ").dropFirst()
    return blocks.compactMap { block in
      guard let lineEnd = block.firstIndex(of: "\n"), let end = block.firstRange(of: "\n```") else {
        return nil
      }
      return ServiceFile(
        name: String(block[..<lineEnd]),
        text: String(block[block.index(after: lineEnd)...end.lowerBound])
      )
    }
  }

  private static let build = "swift build --build-tests"
  private static let test = "swift test --skip-build"

  @Test("the guide to CI has a valid file for each of four services")
  func services() throws {
    let files = try Self.files()
    #expect(
      files.map(\.name) == [
        ".github/workflows/model.yml", ".gitlab-ci.yml", ".circleci/config.yml", "bitbucket-pipelines.yml",
      ]
    )
    for file in files { #expect(try !file.values().isEmpty, "\(file.name)") }
  }

  @Test("every service uses one toolchain, installs the same, and builds before it tests")
  func commands() throws {
    let install = "apt-get update -qq && apt-get install -y -qq libsqlite3-dev zlib1g-dev"
    for file in try Self.files() {
      let values = try file.values()
      #expect(values.contains("swift:6.3"), "\(file.name)")
      let places = [install, Self.build, Self.test].map { values.firstIndex(of: $0) }
      let found = places.compactMap { $0 }
      #expect(found.count == 3 && found == found.sorted(), "\(file.name): \(places)")
    }
  }

  @Test(
    "the guide's commands are those that every change runs on the examples, with the libraries of the setup"
  )
  func provenCommands() throws {
    let examples = try Self.text("Scripts/checks/examples")
    #expect(examples.contains("build build --build-tests") && examples.contains("build test --skip-build"))
    let setup = try Self.text("Scripts/setup")
    #expect(setup.contains("libsqlite3-dev") && setup.contains("zlib1g-dev"))
  }

  @Test("each cache has a key of the toolchain, the manifest and the resolved packages")
  func keys() throws {
    for file in try Self.files() {
      for word in ["Package.swift", "Package.resolved"] { #expect(file.text.contains(word), "\(file.name)") }
      #expect(file.text.contains(/swift-6[.-]3/), "\(file.name)")
    }
  }

  @Test(
    "a service that does not pack files itself packs the build with exact times, and unpacks it first"
  )
  func packing() throws {
    for file in try Self.files() where !file.name.hasPrefix(".github") {
      let values = try file.values()
      let unpacking = try #require(
        values.firstIndex(of: "test ! -e .cache/build.tar || tar -xf .cache/build.tar")
      )
      let packing = try #require(
        values.firstIndex(of: "mkdir -p .cache && tar --format=posix -cf .cache/build.tar .build")
      )
      let building = try #require(values.firstIndex(of: Self.build))
      #expect(unpacking < building && building < packing, "\(file.name)")
    }
  }
}
