import ArgumentParser
import Foundation
import RemoteSeeding
import Seeding

/// The model and the seeds that a command is given.
struct SeedInput: ParsableArguments {
  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String

  @Argument(help: "The seed files, folders of them, http and https URLs, or - for standard input.")
  var seeds: [String]

  @OptionGroup(title: "Standard input")
  var standardInput: StandardInputOptions

  @OptionGroup(title: "Variants")
  var variant: VariantOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  @OptionGroup(title: "Remote seeds")
  var remote: RemoteOptions

  func validate() throws {
    let remoteSeeds = seeds.filter { RemoteOptions.url($0) != nil }
    if remoteSeeds.count != 1, remote.isForOne {
      throw ValidationError("A checksum, a signature and a fallback are of one URL; give exactly one.")
    }
    try standardInput.check(seeds)
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
  }

  func sources() throws -> [SeedSource] { try seeds.map(source) }

  private func source(_ seed: String) throws -> SeedSource {
    if seed == StandardInputOptions.argument { return standardInput.source(limits.limits) }
    guard let url = RemoteOptions.url(seed) else { return file(seed) }
    var source = SeedSource.url(
      url,
      options: try remote.options(largestSize: limits.largestSize),
      fallback: remote.fallback.map(file)
    )
    source.limits = limits.limits
    return source
  }

  private func file(_ path: String) -> SeedSource {
    var source = SeedSource.file(URL(fileURLWithPath: path), variant: variant.variant)
    source.limits = limits.limits
    return source
  }
}
