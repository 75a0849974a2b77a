#if PostgreSQL
  import CoreData
  import Foundation
  import NoteSeeds
  import Seeding

  /// Compares a load of notes into a store on a server with a load of the same file into a file of SQLite.
  /// Both run in turn.
  struct ServerSeeding {
    static let rounds = 3
    private static let bound = 2.0

    let server: URL
    let notes: Int

    func run() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "seeding-\(UUID().uuidString)"
      )
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("notes.jsonl")
      try NotesFile(notes: notes).write(to: file)
      var (intoFile, intoServer): ([Step], [Step]) = ([], [])
      for round in 1...Self.rounds {
        let store = folder.appendingPathComponent("\(round).sqlite")
        intoFile.append(try Step.run("seed", file.path, store.path))
        try FileManager.default.removeItem(at: store)
        let schema = server.appending(queryItems: [URLQueryItem(name: "schema", value: "seeding_\(round)")])
        intoServer.append(try Step.run("seed", file.path, schema.absoluteString))
        try NSPersistentStoreCoordinator(managedObjectModel: NotesModel.make())
          .destroyPersistentStore(at: schema, ofType: NSPostgreSQLStoreType)
      }
      let floor = Self.median(intoFile)
      show("into SQLite", floor, of: floor)
      show("into PostgreSQL, bound \(Self.bound)", Self.median(intoServer), of: floor)
    }

    private static func median(_ steps: [Step]) -> Step {
      steps.sorted { $0.seconds < $1.seconds }[steps.count / 2]
    }

    private func show(_ what: String, _ step: Step, of floor: Step) {
      print(
        String(
          format: "| %d | %@ | %.2f s | %.2f | %.2f s | %.0f MB |",
          notes,
          what as NSString,
          step.seconds,
          step.seconds / floor.seconds,
          step.processorSeconds,
          step.peak
        )
      )
    }
  }
#endif
