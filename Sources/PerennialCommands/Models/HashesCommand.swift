import ArgumentParser
import CoreData
import Foundation
import ModelFormats

/// `perennial hashes MODEL|STORE`
struct HashesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hashes",
    abstract: "Print the version hashes of a model, or those that a store was made with.",
    discussion: "Of a package the current version is taken. All hashes are in Base64, as stores keep them."
  )

  @Argument(help: "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a SQLite store.", completion: .modelAndStoreFiles)
  var file: String

  @OptionGroup(title: "Log") var logging: LogOptions

  func run() throws {
    try CommandFailure.reporting(logging) {
      let isModel = ModelFile.isModel(file)
      print(try isModel ? ofModel() : ofStore(), terminator: "")
    }
  }

  private func ofModel() throws -> String {
    let document = try ValidModelDocument.read(file)
    let hashes = ModelVersionHashes(document: document)
    return text(hashes.entityHashes, digest: hashes.hashesDigest, checksum: hashes.versionChecksum)
  }

  private func ofStore() throws -> String {
    let metadata = try ClosedStore.metadata(of: StoreLocation(path: file))
    return text(
      metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:],
      digest: metadata["NSStoreModelVersionHashesDigest"] as? String,
      checksum: metadata["NSStoreModelVersionChecksumKey"] as? String
    )
  }

  private func text(_ hashes: [String: Data], digest: String?, checksum: String?) -> String {
    let names = hashes.keys.sorted()
    let width = names.map(\.count).max() ?? 0
    let table = names.map { name in
      name + String(repeating: " ", count: width - name.count + 2)
        + (hashes[name] ?? Data()).base64EncodedString()
    }
    // Older stores record neither a digest nor a checksum.
    let all = table + ["", "digest    \(digest ?? "none")", "checksum  \(checksum ?? "none")"]
    return all.joined(separator: "\n") + "\n"
  }
}
