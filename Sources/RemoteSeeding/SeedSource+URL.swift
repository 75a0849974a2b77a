public import Foundation
public import Seeding

extension SeedSource {
  /// A seed that is fetched over HTTP or HTTPS.
  ///
  /// ```swift
  /// guard let address = URL(string: "https://example.com/seeds/plants.jsonl.gz") else { return }
  /// var options = RemoteSeedOptions()
  /// options.timeout = .seconds(10)
  /// let shipped = SeedSource.bundle(.module, "plants.jsonl")
  /// let plants = SeedSource.url(address, options: options, fallback: shipped)
  /// try await Seeder(plants).run(in: container)
  /// ```
  ///
  /// The seed is brought into a temporary file, verified, and then read as a file is; memory does
  /// not grow with it. The store keeps the version that the server told of what it took in (`ETag`,
  /// `Last-Modified`), in the same save, and asks for another one only: when there is none, the
  /// store is not touched. When the seed cannot be had, the fallback is read in its place, if one
  /// is given: for a store that took in the seed before, what it has stands. A `SeedError` names
  /// the URL without its user, password and query.
  ///
  /// The format is known by the end of the URL's path or of the name, or else by the content type.
  /// - Parameters:
  ///   - url: An `http` or `https` URL.
  ///   - name: The name for the store's account; nil for the last component of the URL's path.
  ///   - options: Timeouts, retries, limits, verification.
  ///   - fallback: The seed that is read when this one cannot be had, such as an older one in the
  ///     app's bundle.
  public static func url(
    _ url: URL,
    name: String? = nil,
    options: RemoteSeedOptions = RemoteSeedOptions(),
    fallback: SeedSource? = nil
  ) -> SeedSource {
    let component = url.lastPathComponent
    let name = name ?? (component.isEmpty || component == "/" ? url.host ?? "seed" : component)
    return .remote(URLSeed(url: url, name: name, options: options, fallback: fallback), name: name)
  }
}
