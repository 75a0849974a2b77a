import CoreData

/// Prints the notes of a folder's store, or those of a topic: `Garden [FOLDER [TOPIC]]`.
@main
@MainActor
struct Program {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("Garden.sqlite"))
    let notebook = try Notebook(store)
    try await notebook.seed()
    for note in try notebook.notes(of: arguments.dropFirst().first) {
      let topics = note.topics.map(\.name).sorted().joined(separator: ", ")
      print("\(note.title) (\(topics))")
    }
  }
}
