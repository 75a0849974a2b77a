import Foundation
import TestSupport

@testable import PerennialCommands

/// A git repository with a model of notes, which exists during a test.
final class GuardedRepository: Sendable {
  struct Outcome {
    let status: Int32
    let output: String
  }

  static let isAvailable = Program.tool("git") != nil
  static let reason = "git is in no folder of PATH"

  /// The path of the model, relative to the repository.
  static let model = "Sources/Garden Notes/Notes.xcdatamodeld"

  let folder: TestFolder
  /// The top-level folder of the repository.
  let top: URL

  /// Makes a repository with one commit on the branch `main`, whose package has `Notes` as its only and current version.
  init() throws {
    folder = try TestFolder()
    top = folder.url.appendingPathComponent("clone")
    try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
    try git("init", "--quiet", "--initial-branch=main")
    try write("README", "A garden.\n")
    try write(Self.contents(version: "Notes"), Self.notes)
    try write("\(Self.model)/.xccurrentversion", Self.current("Notes"))
    try commit("Begin")
  }

  init(cloning repository: GuardedRepository, depth: Int) throws {
    folder = try TestFolder()
    top = folder.url.appendingPathComponent("clone")
    let source = "file://\(repository.top.path)"
    try Self.run(folder.url, ["clone", "--quiet", "--depth=\(depth)", source, top.path])
  }

  var path: String { top.appendingPathComponent(Self.model).path }

  static func contents(version: String) -> String { "\(model)/\(version).xcdatamodel/contents" }

  static func current(_ version: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>

    """
  }

  static let notes = model(
    """
    <attribute name="title" optional="YES" attributeType="String"/>
    <attribute name="stars" attributeType="Integer 32" defaultValueString="0"/>
    """
  )

  /// The XML of a model with an entity Note, whose attributes begin in line 3.
  static func model(_ attributes: String) -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Note" representedClassName="Note">
    \(attributes)
    </entity>
    </model>

    """
  }

  func write(_ path: String, _ text: String) throws { try folder.write("clone/\(path)", text) }

  /// Adds a version and makes it current.
  func addVersion(_ name: String, _ attributes: String) throws {
    try write(Self.contents(version: name), Self.model(attributes))
    try write("\(Self.model)/.xccurrentversion", Self.current(name))
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: top.appendingPathComponent(path))
  }

  func commit(_ title: String) throws {
    try git("add", "--all")
    try git(
      "-c",
      "user.name=Gardener",
      "-c",
      "user.email=gardener@example.org",
      "commit",
      "--quiet",
      "-m",
      title
    )
  }

  @discardableResult
  func git(_ arguments: String...) throws -> Outcome { try Self.run(top, arguments) }

  func judge(against reference: String? = "main", trials: Int? = nil, inCode: Set<String> = []) throws
    -> GuardReport
  {
    try ModelGuard(model: path, reference: reference, inCode: inCode, trialCount: trials).judge().report
  }

  @discardableResult
  private static func run(_ folder: URL, _ arguments: [String]) throws -> Outcome {
    let outcome = try GitProgram(in: folder.path).run(arguments)
    guard outcome.status == 0 else {
      throw GuardDoubt(problem: "git \(arguments): \(outcome.errors)", remedy: "see the test")
    }
    return Outcome(status: outcome.status, output: outcome.line)
  }
}
