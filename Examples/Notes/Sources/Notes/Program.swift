import Foundation
import Seeding

/// Runs once: `Notes [FOLDER [WORD…]]` prints the titles of all notes in a folder, or the complete notes that
/// contain certain words.
@main
@MainActor
struct Program {
  let notebook: Notebook
  var words: [String] = []
  var languages = Self.userLanguages

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    let program = Program(notebook: try Notebook(in: folder), words: Array(arguments.dropFirst()))
    try await program.run { print($0) }
  }

  func run(_ write: (String) -> Void) async throws {
    write(Self.greeting(try await notebook.seed(for: languages)))
    for (category, notes) in try notebook.sections(about: words) {
      write("\n\(category):")
      for note in notes { write(text(of: note)) }
    }
  }

  /// The user's languages. The terminal's language comes first, because Foundation on Linux does not read it.
  private static var userLanguages: [String] {
    let terminal = ProcessInfo.processInfo.environment["LANG"]?.prefix { $0 != "." }
    return (terminal.map { [String($0)] } ?? []) + Locale.preferredLanguages
  }

  /// The result of the seeding. A second launch finds everything in the store.
  private static func greeting(_ report: SeedReport) -> String {
    let notes = report.entities["Note"] ?? .init()
    return notes.created > 0
      ? "A new notebook: \(notes.created) notes were written into it."
      : "The notebook has its \(notes.skipped) notes from an earlier launch."
  }

  private func text(of note: Note) -> String {
    let title = "\(note.createdAt?.formatted(.iso8601.month().day()) ?? "--")  \(note.title)"
    guard !words.isEmpty else { return title }
    let tags = note.tags.map(\.name).sorted().joined(separator: ", ")
    return "\(title)\n       \(note.contents ?? "")\n       \(tags)"
  }
}
