import Foundation

/// A seed file or a folder of them, on disk.
struct SeedFile {
  let url: URL
  /// The name by which errors call it.
  let path: String
  var variant = SeedVariant()
  let limits: SeedLimits
  var check: RunCheck?

  /// The seed under the name, or those of a folder, each under its own name below that one, and what was found of the
  /// variant.
  func outcomes(named name: String) throws -> [SourceOutcome] {
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
    if isDirectory.boolValue { return try children(of: name) }
    let candidates = variant.isGeneral ? nil : SeedCandidates(of: url, shownAs: path, variant: variant)
    let findings =
      (candidates?.findings(shownAs: path, leavesOut: false)).map { [SourceOutcome.found($0)] } ?? []
    if let nearest = candidates?.all.min() {
      return try [SourceOutcome.seed(file(nearest).seed(named: name))] + findings
    }
    guard isThere else {
      let variants = variant.words
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: path),
        problem: "there is no such file" + (variants.isEmpty ? "" : ", nor one for \(variants)"),
        remedy: "check the path"
      )
    }
    return try [SourceOutcome.seed(seed(named: name))] + findings
  }

  private func file(_ candidate: SeedCandidate) -> SeedFile {
    SeedFile(url: candidate.url, path: candidate.path, limits: limits, check: check)
  }

  /// The files of a folder whose names end with a known format, sorted by name; other files, such as a README, are
  /// ignored. If several files belong to one seed, the nearest to the variant is chosen.
  private func children(of name: String) throws -> [SourceOutcome] {
    _ = try SeedBytes.reading(path) { try FileManager.default.contentsOfDirectory(atPath: url.path) }
    var candidates = SeedCandidates(variant)
    candidates.add(url, shownAs: path.hasSuffix("/") ? path : path + "/")
    let findings = candidates.findings(shownAs: path, leavesOut: true)
    let nearest = candidates.all.reduce(into: [String: SeedCandidate]()) { nearest, candidate in
      nearest[candidate.common] = min(nearest[candidate.common] ?? candidate, candidate)
    }
    guard !nearest.isEmpty else {
      let variants = variant.words
      let others = findings.leftOut
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: path),
        problem: "this is a folder without seeds" + (variants.isEmpty ? "" : " for \(variants), or for none")
          + (others.isEmpty ? "" : "; it has \(SeedReport.words(ofLeftOut: others))"),
        remedy: "put files into it whose names end in \(SeedFormat.endings)"
      )
    }
    let seeds = try nearest.sorted { $0.key < $1.key }.map { common, candidate in
      SourceOutcome.seed(try file(candidate).seed(named: name + "/" + common))
    }
    return seeds + [.found(findings)]
  }

  private func seed(named name: String) throws -> LoadedSeed {
    guard SeedFormat(SeedFileName(url.lastPathComponent)) != nil else {
      throw SeedError(
        code: .unknownFormat,
        at: SeedPosition(file: path),
        problem:
          "the format of a seed is known by the end of its name, and \".\(url.pathExtension)\" is none",
        remedy: "give a file that ends in \(SeedFormat.endings)"
      )
    }
    guard let check else { return try LoadedSeed(name: name, file: path, url: url, limits: limits) }
    return try LoadedSeed(
      name: name,
      file: try check.verifiedCopy(of: url, shownAs: path, limits: limits),
      named: url.lastPathComponent,
      shownAs: path,
      files: SeedFiles(place: .nowhere("the seed is verified, and other files are not"), limits: limits),
      origin: nil
    )
  }
}
