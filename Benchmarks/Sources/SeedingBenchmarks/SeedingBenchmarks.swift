import CNotes
import CoreData
import Foundation
import NoteSeeds
import Seeding

/// Compares a large load with the time in which `JSONDecoder` alone decodes the same lines.
///
/// Each step runs in its own process, so that each has its own peak memory.
@main
struct SeedingBenchmarks {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "decode": try Step.report { try decode(arguments[1]) }
    case "seed": try Step.report { try seed(arguments[1], into: arguments[2]) }
    case "floor": try Step.report { try load(arguments[1], into: arguments[2]) }
    case "server": try compare(arguments.dropFirst())
    case "fixture": for notes in [100, 1000, 10_000] { try FixtureBenchmark.run(notes: notes) }
    default:
      let sizes = arguments.isEmpty ? [10_000, 100_000, 1_000_000] : arguments.compactMap { Int($0) }
      for size in sizes { try SeedingTable(notes: size).run() }
    }
  }

  private static func decode(_ path: String) throws {
    let text = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    let decoder = JSONDecoder()
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      _ = try decoder.decode(NoteLine.self, from: text[start..<end])
      start = end + 1
    }
  }

  private static func seed(_ path: String, into store: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesModel.make())
    try addStore(store, to: coordinator)
    let report = try Seeder(.file(URL(fileURLWithPath: path)), policy: .always)
      .runAndWait(in: coordinator)
    FileHandle.standardError.write(Data("\(report)\n".utf8))
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Loads the file with a program in C that does only the necessary work.
  private static func load(_ path: String, into store: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesModel.make())
    try addStore(store, to: coordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    if let failure = CNotesLoad(path, store) { throw Step.Failure(description: String(cString: failure)) }
  }

  /// Adds the store at a path, or at the URL of a server.
  private static func addStore(_ place: String, to coordinator: NSPersistentStoreCoordinator) throws {
    #if PostgreSQL
      if let url = URL(string: place), url.scheme != nil {
        try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        return
      }
    #endif
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: URL(fileURLWithPath: place)
    )
  }

  /// Compares a server with a file of SQLite: `server URL [NOTES]`.
  private static func compare(_ arguments: ArraySlice<String>) throws {
    #if PostgreSQL
      guard let server = arguments.first.flatMap(URL.init(string:)) else {
        throw Step.Failure(description: "usage: SeedingBenchmarks server URL [NOTES]")
      }
      try ServerSeeding(server: server, notes: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
        .run()
    #else
      throw Step.Failure(description: "built without PostgreSQL: swift run --traits PostgreSQL …")
    #endif
  }
}
