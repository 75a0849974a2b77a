import Foundation

/// A seed among the resources of a bundle.
struct SeedResource {
  let bundle: Bundle
  let name: String
  let variant: SeedVariant
  let limits: SeedLimits

  /// The file, or the folder, that is meant.
  ///
  /// - Throws: A `SeedError` when there is none.
  func file() throws -> SeedFile {
    if let file = nearest {
      return SeedFile(url: file.url, shownAs: file.path, variant: variant, limits: limits)
    }
    guard let url = bundle.url(forResource: name, withExtension: nil) else {
      let variants = variant.words
      throw SeedError(
        .unreadableFile,
        at: SeedPosition(file: name),
        "there is no such resource in the bundle \(bundle.bundleURL.lastPathComponent)"
          + (variants.isEmpty ? "" : ", nor one for \(variants)"),
        remedy: "add it to the target's resources"
      )
    }
    return SeedFile(url: url, shownAs: name, variant: variant, limits: limits)
  }

  /// The nearest file among those beside the others and those in folders of languages.
  private var nearest: SeedCandidate? {
    guard let resources = bundle.resourceURL else { return nil }
    let places = [("", [])] + bundle.localizations.map { ($0 + ".lproj/", [$0]) }
    return places.flatMap { folder, words in
      SeedCandidate.of(
        resources.appendingPathComponent(folder + name),
        shownAs: folder + name,
        variant,
        besides: words
      )
    }.min()
  }
}
