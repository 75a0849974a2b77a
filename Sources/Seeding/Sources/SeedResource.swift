import Foundation

/// A seed among the resources of a bundle.
struct SeedResource {
  let bundle: Bundle
  let name: String
  let variant: SeedVariant
  let limits: SeedLimits

  /// The seed of the chosen file, or the seeds of the folder, with the findings about the variant.
  ///
  /// - Throws: A `SeedError` if there is none.
  func outcomes(named seedName: String) throws -> [SourceOutcome] {
    let candidates = candidates
    if let nearest = candidates.all.min() {
      return try SeedFile(url: nearest.url, path: nearest.path, limits: limits).outcomes(named: seedName)
        + (variant.isGeneral ? [] : [.found(candidates.findings(shownAs: name, leavesOut: false))])
    }
    guard let url = bundle.url(forResource: name, withExtension: nil) else {
      let variants = variant.words
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: name),
        problem: "there is no such resource in the bundle \(bundle.bundleURL.lastPathComponent)"
          + (variants.isEmpty ? "" : ", nor one for \(variants)"),
        remedy: "add it to the target's resources"
      )
    }
    return try SeedFile(url: url, path: name, variant: variant, limits: limits).outcomes(named: seedName)
  }

  /// The files in the resources' folder and in the folders of languages.
  private var candidates: SeedCandidates {
    var candidates = SeedCandidates(variant)
    guard let resources = bundle.resourceURL else { return candidates }
    let places = [("", [])] + bundle.localizations.map { ($0 + ".lproj/", [$0]) }
    for (folder, words) in places {
      let file = resources.appendingPathComponent(folder + name)
      candidates.add(SeedCandidates(of: file, shownAs: folder + name, variant: variant, besides: words))
    }
    return candidates
  }
}
