import Crypto
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

  /// A seed file, by its URL.
  public static func file(_ url: URL) -> SeedSource {
    SeedSource(.file(url), name: url.lastPathComponent)
  }

  /// The bytes of a seed in JSON, under a name for the store's account and for errors.
  public static func data(_ data: Data, name: String) -> SeedSource {
    SeedSource(.data(data), name: name)
  }

  /// Reads the whole source. Throws a `SeedError` when it is missing or of an unknown format.
  func load() throws -> LoadedSeed {
    switch location {
    case .data(let data):
      return LoadedSeed(name: name, file: name, data: data)
    case .file(let url):
      return try load(url, shownAs: url.relativePath)
    case .bundle(let bundle, let resource):
      guard let url = bundle.url(forResource: resource, withExtension: nil) else {
        throw SeedError(
          .unreadableFile,
          at: SeedPosition(file: resource),
          "there is no such resource in the bundle \(bundle.bundleURL.lastPathComponent)",
          remedy: "add it to the target's resources"
        )
      }
      return try load(url, shownAs: resource)
    }
  }

  private func load(_ url: URL, shownAs file: String) throws -> LoadedSeed {
    let position = SeedPosition(file: file)
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
    guard exists, !isDirectory.boolValue else {
      throw SeedError(
        .unreadableFile,
        at: position,
        exists ? "this is a folder" : "there is no such file",
        remedy: exists ? "name a seed file in it" : "check the path"
      )
    }
    guard url.pathExtension.lowercased() == "json" else {
      throw SeedError(
        .unknownFormat,
        at: position,
        "the format of a seed is known by the end of its name, and \".\(url.pathExtension)\" is none",
        remedy: "give a file that ends in .json"
      )
    }
    do {
      return LoadedSeed(name: name, file: file, data: try Data(contentsOf: url))
    } catch {
      throw SeedError(
        .unreadableFile,
        at: position,
        "the file cannot be read: \(error.localizedDescription)",
        remedy: "check its permissions",
        underlying: error
      )
    }
  }
}

/// A seed whose bytes are at hand.
struct LoadedSeed: Sendable {
  let name: String

  /// How errors name it.
  let file: String
  let data: Data

  /// SHA-256 of the bytes, in hexadecimal.
  let contentHash: String

  init(name: String, file: String, data: Data) {
    self.name = name
    self.file = file
    self.data = data
    contentHash = SHA256.hash(data: data).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A reader of its records.
  func records() -> some SeedRecordReader {
    JSONSeedReader(data, file: file)
  }
}
