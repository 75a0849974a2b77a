import CoreData
import Foundation
import NoteSeeds
import Seeding

/// Measures the cost of a separate in-memory store for a test: the first one, which is seeded, and each later one.
enum FixtureBenchmark {
  private static let stores = 1000

  static func run(notes: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("notes.jsonl")
    try NotesFile(notes: notes).write(to: file)
    let fixture = SeedFixture(Seeder(.file(file)), model: NotesModel.make())
    let clock = ContinuousClock()
    let first = try clock.measure { _ = try fixture.container() }
    let others = try clock.measure {
      for _ in 0..<stores { _ = try fixture.container() }
    }
    let each = others / .milliseconds(stores)
    print(String(format: "| %d | %.1f ms | %.3f ms |", notes, first / .milliseconds(1), each))
  }
}
