public import Foundation

/// The source of a seed: a resource of a bundle, a file, data in memory, or, with `RemoteSeeding`, a URL.
///
/// ```swift
/// var plants = SeedSource.bundle(.module, "plants.csv", variant: SeedVariant(languages: ["de"]))
/// plants.name = "plants"
/// let beds = Data(#"{"beds": [{"name": "by the wall", "plants": ["Thymian"]}]}"#.utf8)
/// try await Seeder(plants, .data(beds, name: "beds.json")).run(in: container)
/// ```
public struct SeedSource: Sendable {
  private enum Location {
    case bundle(Bundle, String)
    case file(URL)
    case data(Data)
    case remote(any RemoteSeed)
    case stream(SeedStream)
  }

  /// The name that identifies the seed in the store; contents with the same name are versions of one seed.
  ///
  /// The default is the path of a file if the path is relative, and otherwise the file's name and its folder's name;
  /// the name of a resource; or the last component of a URL, whose address also identifies the seed.
  public var name: String

  /// The choice among several files of the seed, where it is a resource, a file or a folder.
  public var variant = SeedVariant()

  /// The limits of the memory and time that the seed may ask for.
  public var limits = SeedLimits()

  /// The check that the seed has to pass before it is read, if it is a file or a folder.
  package var check: (any SeedCheck)?

  private let location: Location

  private init(_ location: Location, name: String) {
    self.location = location
    self.name = name
  }

  /// A resource of a bundle, such as an app's `seed.json`.
  ///
  /// Nothing is looked up before the seed is run; a missing resource is an error then. In a
  /// variant, the folders of localised resources are looked through too: `nl.lproj/seed.json`.
  ///
  /// ```swift
  /// let garden = SeedSource.bundle(.module, "garden.json")
  /// try await Seeder(garden).run(in: container)
  /// ```
  public static func bundle(
    _ bundle: Bundle = .main,
    _ resource: String = "seed.json",
    variant: SeedVariant = SeedVariant()
  ) -> SeedSource {
    var source = SeedSource(.bundle(bundle, resource), name: resource)
    source.variant = variant
    return source
  }

  /// A seed file, or a folder of them, by its URL.
  ///
  /// The ending of the file name gives the format: `.json`, `.jsonl`, `.csv`, `.tsv`, `.yaml` or `.plist`, each also
  /// compressed with an additional `.gz`. Files that values are taken from, by `{"$file": "photos/pasta.jpg"}`, are in
  /// the seed's own folder or below it. From a folder, each file with such a name is a seed of its own. If several
  /// files belong to one seed (see `SeedVariant`), the one that fits the variant is used, or none. `SeedReport.leftOut`
  /// names the files and folders that were left out, such as `notes.v2.json` and subfolders with seeds.
  ///
  /// ```swift
  /// let plants = SeedSource.file(folder.appendingPathComponent("plants.csv"))
  /// try await Seeder(plants).run(in: container)
  /// ```
  public static func file(_ url: URL, variant: SeedVariant = SeedVariant()) -> SeedSource {
    var source = SeedSource(.file(url), name: Self.name(of: url))
    source.variant = variant
    return source
  }

  /// A relative path as it was given; of an absolute one, which is another on each machine, the
  /// folder and the name in it.
  private static func name(of url: URL) -> String {
    let path = url.relativePath
    let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
    // The files of a folder add their own names.
    let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    let name = path.hasPrefix("/") ? parts.suffix(isFolder ? 1 : 2) : parts[...]
    return name.isEmpty ? url.lastPathComponent : name.joined(separator: "/")
  }

  /// The bytes of a seed, under a name for the store's ledger and for errors. The ending of the
  /// name gives the format, as for files; without a known ending it is JSON.
  ///
  /// ```swift
  /// let text = #"{"plants": [{"name": "Thyme", "water": 1}]}"#
  /// try await Seeder(.data(Data(text.utf8), name: "plants.json")).run(in: container)
  /// ```
  public static func data(_ data: Data, name: String) -> SeedSource { SeedSource(.data(data), name: name) }

  /// A seed that is fetched before it is read.
  package static func remote(_ seed: any RemoteSeed, name: String) -> SeedSource {
    SeedSource(.remote(seed), name: name)
  }

  /// A seed that comes from a stream, which is read once, to its end, when the seeder runs.
  ///
  /// ```swift
  /// let handle = try FileHandle(forReadingFrom: url)  // or .standardInput
  /// let source = SeedSource.stream(handle, name: "seed.json")
  /// try Seeder(source).runAndWait(in: container.persistentStoreCoordinator)
  /// ```
  ///
  /// The bytes of the stream go into a temporary file. The run throws a `SeedError` of the code `tooLarge` when it is
  /// more than the limits allow, and of `unreadableFile` when it cannot be read or kept.
  ///
  /// - Parameters:
  ///   - handle: The handle that is read, such as the standard input.
  ///   - name: The name for the store's ledger and for errors, whose end tells the format.
  ///     `notes.csv` has records of notes.
  public static func stream(_ handle: FileHandle, name: String) -> SeedSource {
    SeedSource(.stream(SeedStream(handle)), name: name)
  }

  /// Fetches the whole source: one seed, or all seeds of a folder.
  /// - Parameters:
  ///   - ledger: The ledger of the store, whose seeds need not be fetched again.
  ///   - rereads: True if unchanged seeds are read, too.
  ///   - cancellation: Ends the wait for a server.
  /// - Throws: A `SeedError` when it is missing or of an unknown format.
  func load(_ ledger: SeedLedger, rereads: Bool, cancellation: SeedCancellation) throws -> [SourceOutcome] {
    switch location {
    case .data(let data): return [.seed(LoadedSeed(name: name, file: name, data: data, limits: limits))]
    case .file(let url):
      let check = check.map { RunCheck(check: $0, cancellation: cancellation) }
      return try SeedFile(url: url, path: url.relativePath, variant: variant, limits: limits, check: check)
        .outcomes(named: name)
    case .bundle(let bundle, let resource):
      return try SeedResource(bundle: bundle, name: resource, variant: variant, limits: limits)
        .outcomes(named: name)
    case .stream(let stream):
      let files = SeedFiles(place: .nowhere("a seed that comes from a stream has no folder"), limits: limits)
      let file = try stream.file(shownAs: name, limits: limits)
      return [
        .seed(try LoadedSeed(name: name, file: file, named: name, shownAs: name, files: files, origin: nil))
      ]
    case .remote(let seed): return try fetch(seed, ledger: ledger, rereads: rereads, cancellation: cancellation)
    }
  }

  private func fetch(
    _ seed: any RemoteSeed,
    ledger: SeedLedger,
    rereads: Bool,
    cancellation: SeedCancellation
  ) throws -> [SourceOutcome] {
    let imported = ledger.last(of: name, from: seed.address)
    switch try seed.fetch(after: imported, isNeeded: rereads, cancellation: cancellation) {
    case .unchanged: return [.unchanged(name: name, contentHash: imported?.contentHash, because: nil)]
    case .unavailable(let error): return [.unchanged(name: name, contentHash: imported?.contentHash, because: error)]
    case .fallback(var other, let error):
      other.name = name
      return try other.load(ledger, rereads: rereads, cancellation: cancellation).map {
        $0.standingIn(for: seed.address, because: error)
      }
    case .file(let file, let fileName, let place, let largestSize, let folder, let origin):
      var limits = limits
      limits.largestSize = largestSize
      let files = SeedFiles(place: .remote(folder), limits: limits)
      return [
        .seed(
          try LoadedSeed(
            name: name,
            file: file,
            named: fileName,
            shownAs: place,
            files: files,
            origin: origin
          )
        )
      ]
    }
  }
}

/// The outcome of loading a source for a store.
enum SourceOutcome {
  case seed(LoadedSeed)

  /// The store has it already. With an error, that was not asked, because the seed cannot be had.
  case unchanged(name: String, contentHash: String?, because: SeedError?)

  /// The findings about the variant among the files of the source.
  case found(SeedFindings)

  /// The same outcome as the replacement of a seed that cannot be fetched.
  fileprivate func standingIn(for address: String, because error: SeedError) -> SourceOutcome {
    guard case .seed(var seed) = self else { return self }
    seed.fetchFailure = error
    seed.standsFor = address
    return .seed(seed)
  }
}

extension SourceOutcome {
  /// True if the source reports that the store has the seed, so that it was not fetched.
  var isUnread: Bool { if case .unchanged = self { true } else { false } }
}
