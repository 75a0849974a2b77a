import Foundation
import Testing

/// Links of the documentation to other files of the repository.
@Suite("Links in the documentation")
struct DocumentationLinkTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths of the documents, relative to the repository.
  private static let documents: [String] = {
    let subjects = ["Decisions", "Guides", "HowToAdd", "Seeding"]
    let folders = ["", "Documentation", "Benchmarks"] + subjects.map { "Documentation/\($0)" }
    return folders.flatMap { folder in
      let place = project.appendingPathComponent(folder).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }
  }()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
  }

  /// The lines outside of code blocks.
  private static func prose(_ text: String) -> [Substring] {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      let words = line.trimmingPrefix { $0 == " " }
      // A line that contains further backticks is inline code, which does not begin or end a code block.
      let isFence = words.hasPrefix("```") && !words.dropFirst(3).contains("`")
      if isFence { isCode.toggle() }
      return !isCode && !isFence
    }
  }

  /// The anchor that GitHub generates for a heading.
  private static func anchor(of heading: Substring) -> String {
    let words = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
    let shown = words.lowercased().filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }
    return shown.replacing(" ", with: "-")
  }

  private static func anchors(in path: String) throws -> Set<String> {
    Set(
      prose(try text(path)).compactMap { line in
        (try? /#+ (.*)/.wholeMatch(in: line)).map { anchor(of: $0.output.1) }
      }
    )
  }

  @Test("each leads to a file that is there, and to a heading of it", arguments: documents)
  func links(document: String) throws {
    let folder = Self.project.appendingPathComponent(document).deletingLastPathComponent()
    let prose = Self.prose(try Self.text(document)).joined(separator: "\n")
    for match in prose.matches(of: /\]\(([^)\s]+)\)/) {
      let link = match.output.1
      guard !link.contains("://") else { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? Self.project.appendingPathComponent(document)
        : folder.appendingPathComponent(String(parts[0])).standardizedFileURL
      #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(link)")
      guard parts.count == 2, target.pathExtension == "md" else { continue }
      let path = String(target.path.dropFirst(Self.project.standardizedFileURL.path.count + 1))
      #expect(try Self.anchors(in: path).contains(String(parts[1])), "\(document): \(link)")
    }
  }

  @Test("the documents are found")
  func found() {
    #expect(Self.documents.count >= 30)
    #expect(
      Self.documents.contains("README.md") && Self.documents.contains("Documentation/Guides/SeedOnce.md")
    )
  }
}
