import Foundation
import Texts

/// One of several files of a seed.
struct SeedCandidate: Comparable {
  let url: URL

  /// The name by which errors call it.
  let path: String

  /// The name that all files of the seed have in common, such as `seed.json`.
  let common: String

  let match: SeedVariant.Match

  /// The nearest first; of files that are as near, the one whose path is first.
  static func < (left: SeedCandidate, right: SeedCandidate) -> Bool {
    (left.match.distance, left.path.count, left.path) < (right.match.distance, right.path.count, right.path)
  }

  static func == (left: SeedCandidate, right: SeedCandidate) -> Bool { left.path == right.path }
}

/// The files of a folder that are seeds, by whether they are of a variant.
struct SeedCandidates {
  /// A file of another variant, or a folder that contains seeds.
  struct Other {
    let path: String
    let common: String
    /// The words of its name that exclude it.
    let words: [String]
  }

  private(set) var all: [SeedCandidate] = []
  private(set) var others: [Other] = []
  private let variant: SeedVariant

  init(_ variant: SeedVariant) { self.variant = variant }

  /// The files of a seed in its folder and in the environment's subfolder.
  /// - Parameter words: The variant words that the folder already has.
  init(of file: URL, shownAs path: String, variant: SeedVariant, besides words: [String] = []) {
    self.init(variant)
    let common = SeedFileName(file.lastPathComponent).common
    let prefix = path.dropLast(file.lastPathComponent.count)
    add(file.deletingLastPathComponent(), shownAs: String(prefix), besides: words)
    all.removeAll { $0.common != common }
    others.removeAll { $0.common != common }
  }

  /// Adds the seeds of a folder and of the environment's subfolder.
  mutating func add(_ folder: URL, shownAs prefix: String, besides words: [String] = []) {
    addFiles(of: folder, shownAs: prefix, words: words)
    guard let environment = variant.environment else { return }
    let inner = folder.appendingPathComponent(environment, isDirectory: true)
    addFiles(of: inner, shownAs: "\(prefix)\(environment)/", words: words + [environment])
  }

  mutating func add(_ candidates: SeedCandidates) {
    all += candidates.all
    others += candidates.others
  }

  private mutating func addFiles(of folder: URL, shownAs prefix: String, words: [String]) {
    for name in Self.names(in: folder) {
      let url = folder.appendingPathComponent(name)
      let parts = SeedFileName(name)
      if url.hasDirectoryPath {
        guard name != variant.environment, Self.names(in: url).contains(where: Self.isSeed) else { continue }
        others.append(Other(path: "\(prefix)\(name)/", common: name, words: [name]))
      } else if SeedFormat(parts) != nil {
        if let match = variant.match(words + parts.variants) {
          all.append(SeedCandidate(url: url, path: prefix + name, common: parts.common, match: match))
        } else {
          others.append(Other(path: prefix + name, common: parts.common, words: parts.variants))
        }
      }
    }
  }

  private static func isSeed(_ name: String) -> Bool { SeedFormat(SeedFileName(name)) != nil }

  /// The names in a folder that are not hidden; empty if the folder cannot be read.
  private static func names(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }
  }
}

extension SeedCandidates {
  /// The findings about the variant among the files of a source.
  /// - Parameter leavesOut: True if the findings include the seeds that are not chosen, as for a folder.
  func findings(shownAs path: String, leavesOut: Bool) -> SeedFindings {
    SeedFindings(
      path: path,
      variant: variant,
      hasEnvironment: all.contains(where: \.match.isOfEnvironment),
      hasLanguage: all.contains(where: \.match.isInLanguage),
      leftOut: leavesOut ? others.map(\.path).sorted() : [],
      otherWords: Set(others.flatMap(\.words)).sorted()
    )
  }
}

/// The findings about a source's variant: the files that are for it, and the seeds that are left out because they are for
/// none that was asked for.
struct SeedFindings {
  /// The file or folder, as it is shown.
  let path: String
  let variant: SeedVariant
  let hasEnvironment: Bool
  let hasLanguage: Bool
  /// The paths of the seeds that were left out.
  let leftOut: [String]
  /// The words that excluded other files.
  let otherWords: [String]

  /// Checks that there is a file for each environment and language that is to have one, in one of the sources that ask
  /// for it.
  ///
  /// - Throws: A `SeedError` if there is no such file.
  static func check(_ all: [SeedFindings]) throws {
    for findings in all {
      let same = all.filter { $0.variant == findings.variant }
      let variant = findings.variant
      if let environment = variant.environment, variant.requiresEnvironment,
        !same.contains(where: \.hasEnvironment)
      {
        throw findings.error("the environment \(environment)", word: environment, same: same)
      }
      if let first = variant.languages.first, variant.requiresLanguage, !same.contains(where: \.hasLanguage) {
        throw findings.error(variant.languageWords, word: first, same: same)
      }
    }
  }

  private func error(_ words: String, word: String, same: [SeedFindings]) -> SeedError {
    let nearest = Suggestion.nearest(to: word, among: same.flatMap(\.otherWords))
    return SeedError(
      code: .unreadableFile,
      at: SeedPosition(file: path),
      problem: "there is no file for \(words)",
      remedy: nearest.map { "was \"\($0)\" meant?" }
        ?? "correct the name, or say that files for it are optional (--optional-variant, SeedVariant)"
    )
  }
}
