import CoreData
import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import TestSupport
import Testing

/// The Swift code that the guide to remote seeds quotes.
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

  @Test("the bundle's version of a seed and the server's, side by side")
  func sideBySide() async throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let (container, store) = try container()
    try Data(#"{"tags": [{"name": "News", "colour": "grey"}, {"name": "Old"}]}"#.utf8)
      .write(to: store.folder.appendingPathComponent("tags.json"))
    let bundle = try #require(Bundle(url: store.folder))
    let tags = TagSeeds(bundle: bundle, server: server.url("/tags.json"))
    func lines() throws -> [String] {
      let context = container.newBackgroundContext()
      return try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).map { tag in
          "\(tag.value(forKey: "name") ?? "-") \(tag.value(forKey: "colour") ?? "-")"
        }.sorted()
      }
    }
    for (origin, colour) in [(TagSeeds.Origin.bundle, "grey"), (.server, "red")] {
      let report = try await tags.seeder(origin).run(in: container)
      #expect(report.seeds.map(\.name) == ["tags.json"])
      #expect(try lines() == ["News \(colour)", "Old -"])
    }
  }
}

/// The same tags, as the app ships them and as the server has them.
struct TagSeeds {
  enum Origin {
    case bundle, server
  }

  let bundle: Bundle
  let server: URL

  func seeder(_ origin: Origin) -> Seeder {
    var source =
      switch origin {
      case .bundle: SeedSource.bundle(bundle, "tags.json")
      case .server: SeedSource.url(server)
      }
    // By this name the store knows both.
    source.name = "tags.json"
    return Seeder(source)
  }
}
