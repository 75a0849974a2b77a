import Browser
import CoreData
import CoreDataServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

// The examples that no test can run: Scripts/checks/doc-examples compiles them, and holds the comments
// against them as it does against those of Tests/DocumentationExampleTests.

/// `@NSManaged` needs the accessors that the plugin writes, and the tests are built without it.
func managedObject() throws {
  // example: NSManagedObject.swift class NSManagedObject:
  final class Song: NSManagedObject {
    @NSManaged var title: String
    @NSManaged var seconds: Int32
  }

  let song = Song(context: context)
  song.title = "The Heron's Hour"
  song.seconds = 214
  try context.save()
  // end
}

/// It catches the signals of its process, that of all tests.
func service() {
  // example: PersistentContainerService.swift struct PersistentContainerService
  func run(_ server: some Service, on container: NSPersistentContainer, _ logger: Logger) async throws {
    let stores = PersistentContainerService(container)
    let group = ServiceGroup(
      services: [stores, server],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    )
    try await group.run()
  }
  // end
}

/// It serves until the process is told to end.
func browserServer() async throws {
  // example: BrowserServer.swift struct BrowserServer
  let server = try BrowserServer(coordinator, name: "Notes", port: 8080)
  try await server.run { address in
    print("the notes are at \(address)")
  }
  // end
}

/// The program's own resources would have to hold a compiled mapping model.
func mappingModel() throws {
  // example: NSMappingModel.swift init?(from bundles
  let mapping = NSMappingModel(from: [.module], forSourceModel: oldModel, destinationModel: model)
  guard let mapping else { fatalError("the program came without its mapping model") }
  let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
  let old = URL(fileURLWithPath: "Notes.sqlite")
  let new = URL(fileURLWithPath: "Notes 2.sqlite")
  try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
  // end
}
