import Foundation
import Testing
import Yams

/// The action of GitHub and the job of GitLab, whose steps `Scripts/checks/guard` runs.
@Suite("The guard's files for services")
struct GuardServiceTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.project.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(
    "the action is composite, names a shell for each command, and takes no input into the text of a command"
  )
  func action() throws {
    let action = try #require(try Yams.load(yaml: try text("action.yml")) as? [String: Any])
    let runs = try #require(action["runs"] as? [String: Any])
    #expect(runs["using"] as? String == "composite")
    let steps = try #require(runs["steps"] as? [[String: Any]])
    let commands = steps.filter { $0["run"] != nil }
    #expect(commands.count == 2 && commands.allSatisfy { $0["shell"] as? String == "bash" })
    // An expression in a command would let the title of a pull request inject further commands.
    #expect(commands.allSatisfy { ($0["run"] as? String)?.contains("${{") == false })
    // Third-party actions are pinned to a commit, because a tag can be moved.
    let uses = steps.compactMap { $0["uses"] as? String }
    #expect(!uses.isEmpty && uses.allSatisfy { $0.contains(/@[0-9a-f]{40}$/) })
    let inputs = try #require(action["inputs"] as? [String: [String: Any]])
    #expect(inputs["model"]?["required"] as? Bool == true)
    #expect(inputs.keys.allSatisfy { name in steps.contains { "\($0)".contains("inputs.\(name)") } })
  }

  @Test("the files for services in the guide are sound")
  func guide() throws {
    let blocks = try text("Documentation/CI.md").split(separator: "```yaml\n").dropFirst()
      .compactMap { $0.split(separator: "\n```").first.map(String.init) }
    #expect(blocks.count == 2)
    for block in blocks { #expect(try Yams.load(yaml: block) is [String: Any], "\(block)") }
    #expect(blocks.contains { $0.contains("model-versions:") && $0.contains("perennial guard") })
  }
}
