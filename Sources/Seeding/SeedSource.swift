public import Foundation

/// Where a seed comes from: a resource of a bundle, a file, or data at hand.
public struct SeedSource: Sendable {
  private enum Location {
    case bundle(Bundle, String)
    case file(URL)
    case data(Data)
  }

  /// The name under which the store keeps account of the seed: the file's name unless another was given.
  public var name: String

  private let location: Location

  private init(_ location: Location, name: String) {
    self.location = location
    self.name = name
  }

  /// A resource of a bundle, such as an app's `seed.json`.
  ///
  /// Nothing is looked up before the seed is run; a missing resource is an error then.
  public static func bundle(_ bundle: Bundle = .main, _ resource: String = "seed.json") -> SeedSource {
    SeedSource(.bundle(bundle, resource), name: resource)
  }

  /// A seed file, or a folder of them, by its URL.
  ///
  /// The format is known by the end of a file's name: `.json`, `.jsonl`, `.csv`, `.tsv`, `.yaml` or `.plist`, each also
  /// compressed with `.gz` behind it. Of a folder, all files with such a name are taken, each as a seed of its own.
  public static func file(_ url: URL) -> SeedSource {
    SeedSource(.file(url), name: url.lastPathComponent)
  }

  /// The bytes of a seed, under a name for the store's account and for errors. The name's end tells the format, as it
  /// does of files; JSON is the format of all others.
  public static func data(_ data: Data, name: String) -> SeedSource {
    SeedSource(.data(data), name: name)
  }

  /// Reads the whole source: one seed, or all of a folder. Throws a `SeedError` when it is missing or of an unknown
  /// format.
  func load() throws -> [LoadedSeed] {
    switch location {
    case .data(let data): return [LoadedSeed(name: name, file: name, data: data)]
    case .file(let url):
      return try SeedFile(url: url, shownAs: url.relativePath).seeds(named: name)
    case .bundle(let bundle, let resource):
      guard let url = bundle.url(forResource: resource, withExtension: nil) else {
        throw SeedError(
          .unreadableFile,
          at: SeedPosition(file: resource),
          "there is no such resource in the bundle \(bundle.bundleURL.lastPathComponent)",
          remedy: "add it to the target's resources"
        )
      }
      return try SeedFile(url: url, shownAs: resource).seeds(named: name)
    }
  }
}
