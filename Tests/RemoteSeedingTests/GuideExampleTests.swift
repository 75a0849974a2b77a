import CoreData
import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import TestSupport
import Testing

/// The Swift that the guide to remote seeds quotes.
@Suite("The examples of the guide to remote seeds")
struct GuideExampleTests {
  private let key = SigningKey()

  private func container() throws -> (NSPersistentContainer, TagStore) {
    let store = try TagStore()
    let container = NSPersistentContainer(
      name: "Tags",
      managedObjectModel: store.coordinator.managedObjectModel
    )
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: store.folder.appendingPathComponent("Container.sqlite"))
    ]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return (container, store)
  }

  @Test("a signed seed, with a file in its place when there is no server")
  func signed() async throws {
    let signature = key.signature(for: Data(TagStore.news.utf8)).base64EncodedString()
    let server = try TestServer.start { request, _ in
      .init(request.uri.hasSuffix(".sig") ? signature : TagStore.news)
    }
    let (container, store) = try container()
    let bundled = store.folder.appendingPathComponent("seed.json")
    try Data(#"{"tags": [{"name": "Old"}]}"#.utf8).write(to: bundled)
    let (url, publicKey) = (server.url("/seed.json"), key.publicKey)
    var options = RemoteSeedOptions()
    options.timeout = .seconds(10)
    options.retries = 2
    options.largestSize = 5_000_000
    options.verification = .ed25519(publicKey: publicKey)
    let source = SeedSource.url(url, options: options, fallback: .file(bundled))
    let report = try await Seeder(source).run(in: container)
    #expect(report.seeds[0].fetchFailure == nil && report.total.created == 1)

    let checksum = Checksum.of(TagStore.news)
    options.verification = .sha256(checksum)
    #expect(try await Seeder(.url(url, options: options)).run(in: container).total.skipped == 1)
  }
}
