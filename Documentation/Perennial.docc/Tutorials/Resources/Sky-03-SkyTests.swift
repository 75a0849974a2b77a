import CoreData
import Seeding
import Testing

@testable import Sky

@Suite("The sky")
@MainActor
struct SkyTests {
  @Test("a user begins with all stars of the seeds, and no seed is left to be taken in")
  func beginning() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
    let sky = try Sky(file)
    #expect(sky.isNew)
    #expect(try sky.stars().map(\.name) == ["Vega", "Rigel", "Betelgeuse", "Alioth", "Mizar"])
    let report = try await sky.update()
    #expect(report.seeds.count == 2 && report.seeds.allSatisfy(\.wasSkipped))
  }
}
