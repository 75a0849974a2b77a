import ArgumentParser
import Foundation
import RemoteSeeding
import Seeding

/// The seeds of a command, with the options about them.
///
/// It is not an option group of its own. In debug builds, the argument parser checks each group about four times for each group
/// around it: with the groups inside of another one, parsing the options of `seed` took 150 ms more.
struct SeedInput {
  static let modelHelp: ArgumentHelp = "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom."
  static let seedsHelp: ArgumentHelp =
    "The seed files, folders of them, http and https URLs, or - for standard input."

  let seeds: [String]
  let standardInput: StandardInputOptions
  let variant: VariantOptions
  let limits: LimitOptions
  let remote: RemoteOptions

  /// Checks what the options say together.
  ///
  /// - Throws: A `ValidationError`.
  func check() throws {
    let remoteSeeds = seeds.filter { RemoteOptions.url($0) != nil }
    if remote.isForOneSeed, seeds.count != 1 {
      throw ValidationError("A checksum and a signature are of one seed; give exactly one.")
    }
    if remote.fallback != nil, remoteSeeds.count != 1 {
      throw ValidationError("A fallback is of one URL; give exactly one.")
    }
    if remote.isVerified, seeds.contains(StandardInputOptions.argument) {
      throw ValidationError("Standard input cannot be verified; give a file.")
    }
    try standardInput.check(seeds)
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
    for seed in seeds where seed.contains("://") && RemoteOptions.url(seed) == nil && server == nil {
      throw ValidationError("\(seed): seeds are fetched by https and http alone; fetch it to a file first.")
    }
  }

  /// The store on a server that the user named instead of seeds; `nil` if there is none.
  var server: StoreLocation? {
    guard seeds.count == 1 else { return nil }
    let location = StoreLocation(path: seeds[0])
    return location.isOnServer ? location : nil
  }

  func sources() throws -> [SeedSource] { try seeds.map(source) }

  private func source(_ seed: String) throws -> SeedSource {
    if seed == StandardInputOptions.argument { return standardInput.source(limits.limits) }
    guard let url = RemoteOptions.url(seed) else { return try file(seed, verification: remote.verification()) }
    var source = SeedSource.url(
      url,
      options: try remote.options(largestSize: limits.largestSize),
      fallback: try remote.fallback.map { try file($0) }
    )
    source.limits = limits.limits
    return source
  }

  private func file(_ path: String, verification: SeedVerification? = nil) throws -> SeedSource {
    let url = URL(fileURLWithPath: path)
    var source =
      verification.map { SeedSource.file(url, verification: $0, variant: variant.variant) }
      ?? .file(url, variant: variant.variant)
    source.limits = limits.limits
    return source
  }
}
