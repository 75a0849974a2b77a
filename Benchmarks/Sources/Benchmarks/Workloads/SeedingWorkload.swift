import Foundation
import NoteSeeds

/// Loads a file of notes with `SeedingBenchmarks`, compared with `JSONDecoder`, which only decodes its lines.
enum SeedingWorkload {
  static func make(_ files: SampleFiles, notes: Int) throws -> Workload {
    let program = try ChildProgram.sibling("SeedingBenchmarks")
    let file = files.emptyFile("jsonl")
    try NotesFile(notes: notes).write(to: file)
    return Workload(
      title: "load \(notes) notes, each with a category and three tags",
      measure: .time(.wall),
      contenders: [
        Contender("JSONDecoder, nothing else") { _ in try round(program, "decode", file.path) },
        Contender("Seeder", [.times(1.3)]) { _ in try load(program, "seed", file, files) },
        Contender("\(SampleFloors.name), a program in C") { _ in try load(program, "floor", file, files) },
      ]
    )
  }

  /// Runs the other program, which loads the file into a new store.
  private static func load(_ program: URL, _ step: String, _ file: URL, _ files: SampleFiles) throws
    -> Contender.Reading
  {
    let store = files.emptyFile()
    defer { try? FileManager.default.removeItem(at: store) }
    return try round(program, step, file.path, store.path)
  }

  /// Runs a step of the other program, which prints elapsed seconds, seconds of the processor, and its peak
  /// memory in MB.
  private static func round(_ program: URL, _ arguments: String...) throws -> Contender.Reading {
    let numbers = try ChildProgram.numbers(program, arguments)
    guard numbers.count == 3 else {
      throw ChildProgram.Failure(
        description: "\(program.lastPathComponent) printed \(numbers.count) numbers in place of three"
      )
    }
    return Contender.Reading(value: numbers[0], peak: numbers[2])
  }
}
