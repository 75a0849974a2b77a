import Foundation

/// One of several files of a seed.
struct SeedCandidate: Comparable {
  let url: URL

  /// The name by which errors call it.
  let path: String

  /// The name that all files of the seed have in common, such as `seed.json`.
  let common: String

  private let distance: Int

  /// The files of a seed that lie in its folder, and in the one of the environment.
  /// - Parameter words: The words that the folder says already.
  static func of(_ file: URL, shownAs path: String, _ variant: SeedVariant, besides words: [String] = [])
    -> [SeedCandidate]
  {
    let name = SeedFileName(file.lastPathComponent)
    let prefix = path.dropLast(file.lastPathComponent.count)
    return all(in: file.deletingLastPathComponent(), shownAs: String(prefix), variant, besides: words)
      .filter { $0.common == name.common }
  }

  /// The files of a folder that are seeds and of the variant.
  static func all(
    in folder: URL,
    shownAs prefix: String,
    _ variant: SeedVariant,
    besides words: [String] = []
  )
    -> [SeedCandidate]
  {
    var candidates = files(in: folder, shownAs: prefix, variant, words)
    if let environment = variant.environment {
      let inner = folder.appendingPathComponent(environment, isDirectory: true)
      candidates += files(in: inner, shownAs: "\(prefix)\(environment)/", variant, words + [environment])
    }
    return candidates
  }

  private static func files(
    in folder: URL,
    shownAs prefix: String,
    _ variant: SeedVariant,
    _ words: [String]
  ) -> [SeedCandidate] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      let parts = SeedFileName(name)
      let url = folder.appendingPathComponent(name)
      guard !name.hasPrefix("."), SeedFormat(parts) != nil, !url.hasDirectoryPath,
        let distance = variant.distance(of: words + parts.variants)
      else { return nil }
      return SeedCandidate(url: url, path: prefix + name, common: parts.common, distance: distance)
    }
  }

  /// The nearest first; of files that are as near, the one whose path is first.
  static func < (left: SeedCandidate, right: SeedCandidate) -> Bool {
    (left.distance, left.path.count, left.path) < (right.distance, right.path.count, right.path)
  }
}
