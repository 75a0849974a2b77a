import CoreData
import Seeding
import Testing

@testable import Songbook

@Suite("The songbook")
@MainActor
struct SongbookTests {
  private let songbook: Songbook

  /// Each test has a store of its own, in memory, with the songs of the seed.
  init() async throws {
    let store = NSPersistentStoreDescription()
    store.type = NSInMemoryStoreType
    songbook = try Songbook(store)
    _ = try await songbook.seed()
  }

  @Test("a second launch finds all songs there")
  func launches() async throws {
    let report = try await songbook.seed()
    #expect(report.total.created == 0)
    #expect(try songbook.songs().count == 4)
  }

  @Test("a later seed does not change what the user has changed")
  func changes() async throws {
    try songbook.transpose("Die Forelle", to: "C major")
    let later = """
      {
        "composers": [{"name": "Franz Schubert"}],
        "songs": [{"title": "Die Forelle", "key": "E major", "composer": "Franz Schubert"}]
      }
      """
    _ = try await songbook.seed(from: .data(Data(later.utf8), name: "seed.json"))
    let song = try songbook.songs().first { $0.title == "Die Forelle" }
    #expect(song?.key == "C major")
  }
}
