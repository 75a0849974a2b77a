import CoreData
import Foundation
import RemoteSeeding
import Seeding
import TestSupport
import Testing

@Suite("Examples of remote seeds")
struct RemoteSeedExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  private func plantCount() throws -> Int {
    try container.newBackgroundContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Plant"))
  }

  @Test("the shipped seed is imported if the server cannot be reached")
  func fallback() async throws {
    // No server listens on this port.
    let address = try #require(URL(string: "http://127.0.0.1:1/plants.jsonl"))
    // example: URLSeed.swift static func url(
    var options = RemoteSeedOptions()
    options.timeout = .seconds(10)
    options.retries = 0
    let shipped = SeedSource.bundle(.module, "plants.jsonl")
    let plants = SeedSource.url(address, options: options, fallback: shipped)
    try await Seeder(plants).run(in: container)
    // end
    #expect(try plantCount() == 1)
  }

  @Test("a file is read if its signature is right")
  func signature() async throws {
    let signer = SigningKey()
    let seed = Data(#"{"plants": [{"name": "Thyme"}]}"#.utf8)
    let url = try notebook.folder.write("plants.json", seed)
    try notebook.folder.write("plants.json.sig", signer.signature(for: seed))
    try notebook.folder.write("seeds.pub", signer.publicKey)
    // example: FileVerification.swift static func file(
    let key = try Data(contentsOf: folder.appendingPathComponent("seeds.pub"))
    let source = SeedSource.file(url, verification: .ed25519(publicKey: key))
    try await Seeder(source).run(in: container)
    // end
    #expect(try plantCount() == 1)
  }

  @Test("a file is read if it has the checksum")
  func checksum() async throws {
    let url = try notebook.folder.write("plants.json", #"{"plants": [{"name": "Thyme"}]}"#)
    // example: SeedVerification.swift static func sha256
    let checksum = "7b1b6e0b2a8ffe1ee2a1b1f1d20fb2f1d2d2a8cf3b2f2f6a8f8f0f5f2a9c3d11"
    let source = SeedSource.file(url, verification: .sha256(checksum))
    do {
      try await Seeder(source).run(in: container)
    } catch let error as SeedError where error.code == .notVerified {
      print("this is another file: \(error.problem)")
    }
    // end
    #expect(try plantCount() == 0)
  }

  @Test("options add header fields to a request")
  func options() {
    // example: RemoteSeedOptions.swift struct RemoteSeedOptions
    var options = RemoteSeedOptions()
    options.headers = ["Authorization": "Bearer 4f1e"]
    options.totalTimeout = .seconds(60)
    options.largestSize = 16 << 20
    // end
    #expect(options.headers.count == 1 && options.largestSize == 16_777_216)
  }
}
