import Foundation
import NoteSeeds

/// The lines of README's table for one number of notes.
struct SeedingTable {
  let notes: Int

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("seeding-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func file(_ name: String, _ file: NotesFile) throws -> String {
      try file.write(to: URL(fileURLWithPath: path(name)))
      return path(name)
    }
    let ordered = try file("ordered.jsonl", NotesFile(notes: notes))
    let reversed = try file("reversed.jsonl", NotesFile(notes: notes, notesFirst: true))
    let changed = try file(
      "changed.jsonl",
      NotesFile(notes: notes, changed: notes / 10, onlyChanged: true)
    )
    let decoding = try Step.run("decode", ordered)
    show("JSONDecoder, nothing else", decoding, of: decoding)
    show("load", try Step.run("seed", ordered, path("one.sqlite")), of: decoding)
    show("load again, nothing to change", try Step.run("seed", ordered, path("one.sqlite")), of: decoding)
    show("upsert a tenth, changed", try Step.run("seed", changed, path("one.sqlite")), of: decoding)
    show("load, notes first", try Step.run("seed", reversed, path("two.sqlite")), of: decoding)
  }

  private func show(_ what: String, _ step: Step, of decoding: Step) {
    let ratio = step.seconds / decoding.seconds
    print(
      String(
        format: "| %d | %@ | %.2f s | %.2f | %.2f s | %.0f MB |",
        notes,
        what as NSString,
        step.seconds,
        ratio,
        step.processorSeconds,
        step.peak
      )
    )
  }
}
