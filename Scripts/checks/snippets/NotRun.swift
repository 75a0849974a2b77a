import Browser
import CoreData
import CoreDataServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

// The examples that no test can run. Scripts/checks/doc-examples compiles them, and compares the comments
// with them as it does with those of Tests/DocumentationExampleTests.

/// `@NSManaged` needs the accessors that the plugin writes. The tests are built without the plugin.
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

/// The service handles the signals of its process, which runs all tests.
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

/// The server runs until its process is terminated.
func browserServer() async throws {
  // example: BrowserServer.swift struct BrowserServer
  let server = try BrowserServer(coordinator, name: "Notes", port: 8080)
  try await server.run { address in
    print("the notes are at \(address)")
  }
  // end
}

/// A compiled mapping model would have to be a resource of the test program.
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
